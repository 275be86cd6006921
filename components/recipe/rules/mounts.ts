import type { Draft, DraftMount } from "../draft";
import type { Finding, Path } from "../finding";
import { charName, invisible, show } from "../show";
import type { Rule } from "./rule";

/** A mount with its index. */
export interface IndexedMount extends DraftMount {
    readonly i: number;
}

/** The mounts with their indices. */
export function mountsOf({ mounts }: Draft): readonly IndexedMount[] {
    return mounts.map((mount, i) => ({ ...mount, i }));
}

const mountAt = (i: number, key: string): Path => ["extra_mounts", i, key];

type Problem = readonly [problem: string, fix?: string];

function badCharacter(path: string): Problem | undefined {
    const [char] = new RegExp(`[,:]|${invisible.source}`, "u").exec(path) ?? [];
    if (char === ":" || char === ",") {
        return [`${show(path)} holds a "${char}", which ends a path in Docker's notation`];
    }
    if (char !== undefined) return [`${show(path)} holds ${charName(char)}`, "type it anew"];
    if (path !== path.trim())
        return [`${show(path)} begins or ends with a space`, `write ${show(path.trim())}`];
    return path.split("/").includes("..")
        ? [
              `${show(path)} holds "..", so it says one place and means another`,
              "write the place it means",
          ]
        : undefined;
}

function badHost(host: string): Problem | undefined {
    const bad = badCharacter(host);
    if (bad !== undefined) return bad;
    if (host === "") return ["the path is empty"];
    if (/^\/|^~$|^~\//.test(host)) return undefined;
    if (host.startsWith("~"))
        return [`${show(host)} names another user's home`, "only ~ and ~/… are known"];
    if (/^\$\{?HOME\}?(?=\/|$)/.test(host)) {
        return [
            `${show(host)} holds a variable, and no shell reads it`,
            `write ${show(host.replace(/^\$\{?HOME\}?/, "~"))}`,
        ];
    }
    return [
        `${show(host)} is relative: Docker would make a named volume of it`,
        `write ${show(`~/${host}`)} or an absolute path`,
    ];
}

const reserved = /^\/(?:proc|sys|dev)(?:\/|$)|^\/$/;

function badContainer(container: string): Problem | undefined {
    if (!container.startsWith("/")) {
        const problem = `${show(container)} is not absolute`;
        return container.startsWith("~") ? [problem, "in a container ~ is /root"] : [problem];
    }
    const bad = badCharacter(container);
    if (bad !== undefined) return bad;
    return reserved.test(container) ? [`${container} belongs to the container itself`] : undefined;
}

function finding(at: Path, [problem, fix]: Problem, expected: string): Finding {
    return { code: "bad-mount", at, problem, expected, ...(fix === undefined ? {} : { fix }) };
}

/** Paths that Docker would take for something else. */
export const mountPaths: Rule = (draft) =>
    mountsOf(draft).flatMap(({ i, host, container }) => {
        const ofHost = host === undefined ? undefined : badHost(host);
        const ofContainer = container === undefined ? undefined : badContainer(container);
        return [
            ...(ofHost === undefined
                ? []
                : [finding(mountAt(i, "host"), ofHost, "a host path that starts with / or ~/")]),
            ...(ofContainer === undefined
                ? []
                : [
                      finding(
                          mountAt(i, "container"),
                          ofContainer,
                          "an absolute path in the container, e.g. /root/.triton",
                      ),
                  ]),
        ];
    });

/** Of two mounts on one path the container would see one. */
export const mountTargets: Rule = (draft) => {
    const mounts = mountsOf(draft);
    return mounts.flatMap((mount, k): Finding[] => {
        const first = mounts.slice(0, k).find(({ container }) => container === mount.container);
        if (first === undefined || mount.container === undefined) return [];
        return [
            {
                code: "conflict",
                at: mountAt(mount.i, "container"),
                problem: (lineOf) =>
                    `${mount.container ?? ""} is the target of two mounts: ${show(first.host ?? "?")} on ${lineOf(mountAt(first.i, "container"))}, ${show(mount.host ?? "?")} here`,
                expected: "each directory of the container once",
                fix: "remove one, or give it another path",
            },
        ];
    });
};

/** A variable has one value: a mount's container path, another mount's, or that of [env]. */
export const mountVariables: Rule = (draft) => {
    const mounts = mountsOf(draft);
    return mounts.flatMap((mount, k): Finding[] => {
        const { env: name, i, container } = mount;
        if (name === undefined || container === undefined) return [];
        const twin = mounts.slice(0, k).find(({ env }) => env === name);
        const written = draft.env.find(([key]) => key === name)?.[1];
        const other: { readonly at: Path; readonly value: string } | undefined =
            twin !== undefined
                ? { at: mountAt(twin.i, "env"), value: twin.container ?? "?" }
                : written !== undefined && written !== container
                  ? { at: ["env", name], value: written }
                  : undefined;
        if (other === undefined) return [];
        return [
            {
                code: "conflict",
                at: mountAt(i, "env"),
                problem: (lineOf) =>
                    `${name} is ${show(container)} by this mount, ${show(other.value)} on ${lineOf(other.at)}`,
                expected: "one value for each variable",
                fix: "remove one of them",
            },
        ];
    });
};
