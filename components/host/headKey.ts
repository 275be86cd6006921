import { type Issue, RecipeError } from "../issue";
import type { StackPlan } from "../plan";
import script from "./headKey.sh";
import { runScript } from "./ssh";

/**
 * The API's key as the running head has it: the command line needs no passphrase for it. It is held in memory alone.
 *
 * Throws RecipeError when the head does not run or has no key.
 */
export async function headKey({ nodes }: Pick<StackPlan, "nodes">): Promise<string> {
    const [head] = nodes;
    if (head === undefined) throw new Error("a plan has at least one node");
    const { containerName } = head.rank;
    const { code, stdout } = await runScript(head, script, {
        args: [containerName],
        timeoutSeconds: 30,
    });
    if (code === 0 && stdout !== "") return stdout;
    const issue: Issue = {
        code: "not-ready",
        severity: "error",
        file: head.name,
        path: "",
        problem: `${containerName} does not run, or runs without the key that the stack has`,
        expected: "a running group",
        fix: "`pulumi up` starts it",
    };
    throw new RecipeError([issue]);
}
