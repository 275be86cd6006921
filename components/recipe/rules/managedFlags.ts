import { spellings } from "../args/flagTable";
import type { Given } from "../args/readArgs";
import { argAt, type Rule } from "./rule";

/** Flags that the program sets, or that would take the engine out of its hands, with the reason and the right place. */
export const managedFlagReasons: Readonly<Record<string, string>> = {
    "--host": "the stack's api.bind sets it, on rank 0 alone",
    "--port": "the stack's api.port sets it, on rank 0 alone",
    "--nnodes": "required_nodes sets it",
    "--node-rank": "it differs from node to node; the order of the stack's nodes sets it",
    "--master-addr": "the head's fabric address is a fact of the stack",
    "--master-port": "the stack's masterPort sets it",
    "--headless": "every rank but the head has it",
    "--uds": "the API listens on the stack's api.bind and api.port",
    "--grpc": "the group is proved by completions over HTTP",
    "--config": "a file of flags would be hidden from the plan: write them into args",
};

/** Whether the program itself sets a flag, in whatever spelling. */
export function isManaged(given: Given): boolean {
    return managedName(given) !== undefined;
}

function managedName({ flag, name, candidates }: Given): string | undefined {
    if (flag !== undefined)
        return Object.hasOwn(managedFlagReasons, flag.name) ? flag.name : undefined;
    // `--master` may be two flags, but both are managed.
    const meant = candidates.map((candidate) => spellings.get(candidate)?.flag.name ?? "");
    if (meant.length > 0)
        return meant.every((each) => Object.hasOwn(managedFlagReasons, each))
            ? meant[0]
            : undefined;
    const plain = name.toLowerCase().replace(/^-+(?:no-)?/, "--");
    return Object.hasOwn(managedFlagReasons, plain) ? plain : undefined;
}

/** Flags that the program sets per node are refused: two owners of a value are one too many. */
export const managedFlags: Rule = ({ read }) =>
    read.given.flatMap((given) => {
        const name = managedName(given);
        if (name === undefined) return [];
        const as = given.typed === name ? "" : ` (${name})`;
        return [
            {
                code: "managed-flag",
                at: argAt(given.index),
                problem: `${given.typed}${as} is set by the program: ${managedFlagReasons[name] ?? ""}`,
                expected: "only flags of the model and the engine",
                fix: "remove it and its value",
            },
        ];
    });
