import { type Issue, RecipeError } from "../issue";
import type { NasMountPlan } from "../plan";
import type { GroupNode } from "./group";
import nasScript from "./nas.sh";
import { type NasLook, nasIssues } from "./nasIssues";
import { runScript, type ScriptResult } from "./ssh";
import { lastLine } from "./lastLine";

/** A mount may take its minute, an unmount of a share that hangs its twenty seconds. */
const timeoutSeconds = 120;

/** Why `mount` was not done; see nas.sh. */
const refusals: Readonly<Record<number, (path: string) => string>> = {
    66: (path) => `another share is mounted at ${path}`,
    67: (path) => `the share at ${path} is in use and cannot be changed`,
    68: (path) => `${path} cannot be mounted`,
    69: (path) => `there are files in ${path}, which is not a mount`,
};

function run(
    verb: "check" | "mount" | "undo",
    node: GroupNode,
    mount: NasMountPlan,
    groupId: string,
    limitSeconds: number,
): Promise<ScriptResult> {
    const { destination, port } = node.ssh;
    const holder = `${node.name}=${destination}:${String(port ?? "")}`;
    const { path, source, type, options } = mount;
    return runScript(node, nasScript, {
        args: [verb, groupId, holder, path, source, type, options],
        timeoutSeconds: limitSeconds,
    });
}

/**
 * What must hold on a node before its NAS can be mounted or changed; changes nothing.
 *
 * @param groupId empty when unknown: what any stack mounted counts as this one's.
 */
export async function checkNas(
    node: GroupNode,
    mount: NasMountPlan,
    groupId: string,
): Promise<readonly Issue[]> {
    const { code, stdout, stderr } = await run("check", node, mount, groupId, 30);
    if (code !== 0) {
        const text = {
            problem: withLastLine(`the mount of ${mount.path} could not be looked at`, stderr),
            expected: `${mount.source} there, or nothing`,
            fix: `try \`ssh ${node.ssh.destination} findmnt ${mount.path}\``,
        };
        throw failure(node, text, "Nothing was changed.");
    }
    return nasIssues(node.name, mount, parseLook(stdout));
}

function parseLook(text: string): NasLook {
    const said = new Map(
        text.split("\n").map((line) => {
            const at = line.indexOf("=");
            return [line.slice(0, at), line.slice(at + 1)] as const;
        }),
    );
    const get = (name: string) => said.get(name) ?? "";
    return {
        user: get("user"),
        mounted: get("mounted"),
        users: get("users") === "" ? [] : get("users").split(","),
        mine: get("mine") !== "",
        fits: get("fits") === "yes",
        hasFiles: get("files") === "yes",
        mayBeRoot: get("root") === "yes",
        hasHelper: get("helper") === "yes",
        ...(get("unknown") === "" ? {} : { unknownServer: get("unknown") }),
    };
}

/** made: by this call; kept: it was so already; foreign: mounted by someone else, the share that was asked for. */
export type NasOutcome = "made" | "kept" | "foreign";

/** Mounts the share as the plan says, or throws; what is mounted so already stays. */
export async function mountNas(
    node: GroupNode,
    mount: NasMountPlan,
    groupId: string,
): Promise<NasOutcome> {
    const { code, stdout, stderr } = await run("mount", node, mount, groupId, timeoutSeconds);
    if (code === 0) return stdout.trim() as NasOutcome;
    const { type, source, path } = mount;
    const why = refusals[code]?.(path) ?? `the mount of ${path} failed`;
    throw failure(
        node,
        {
            problem: withLastLine(why, stderr),
            expected: `${source} at ${path}`,
            fix: `try \`sudo mount -t ${type} ${source} /mnt\` on ${node.name}; correct nas.manage`,
        },
        "Nothing that serves was stopped.",
    );
}

/** Takes away what mountNas made; a share in use stays mounted. Returns what is to be said of it. */
export async function unmountNas(
    node: GroupNode,
    mount: NasMountPlan,
    groupId: string,
): Promise<string> {
    const { code, stdout, stderr } = await run("undo", node, mount, groupId, timeoutSeconds);
    if (code === 0) return stdout.trim();
    throw failure(
        node,
        {
            problem: withLastLine(`the mount of ${mount.path} could not be taken away`, stderr),
            expected: "root, or sudo without a password, as when it was made",
            fix: "give it back for as long as this takes, then run it again",
        },
        "Other resources are not concerned.",
    );
}

function withLastLine(text: string, stderr: string): string {
    const said = lastLine(stderr);
    return said === "" ? text : `${text}: ${said}`;
}

function failure(
    { name }: GroupNode,
    text: Pick<Issue, "problem" | "expected" | "fix">,
    closing: string,
): RecipeError {
    const issue: Issue = {
        code: "nas",
        severity: "error",
        file: name,
        path: "nas-manage",
        ...text,
    };
    return new RecipeError([issue], closing);
}
