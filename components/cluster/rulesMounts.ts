import { awaitsMount } from "./awaitsMount";
import type { PathFacts } from "./facts";
import { isWithin, mountOf, pathFacts } from "./factsMount";
import { type Context, type Finding, finding, nothing, type Rule } from "./rulesContext";

type Kind = Context["node"]["rank"]["mounts"][number]["kind"];

/** Each path of a kind, once, with what was found there. */
function each(
    { node, facts }: Context,
    kinds: readonly Kind[],
    check: (found: PathFacts) => readonly Finding[],
): readonly Finding[] {
    const paths = node.rank.mounts
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ hostPath }) => hostPath);
    return [...new Set(paths)].flatMap((path) => {
        const found = pathFacts(facts, path);
        return found === undefined ? nothing : check(found);
    });
}

/** The hub of the node. */
function hubOf({ node }: Context): string | undefined {
    return node.rank.mounts.find(({ kind }) => kind === "weights")?.hostPath;
}

/** `ext4 of /dev/nvme0n1p2`: what carries a path. */
function carrier(context: Context, path: string): string {
    const mount = mountOf(context.facts, path);
    return mount === undefined ? "an unknown file system" : `${mount.type} of ${mount.source}`;
}

const answers: Rule = {
    id: "mount-answers",
    check: (context) =>
        each(context, ["weights", "directory", "cache"], ({ path, state, error }) => {
            if (state !== "hung" && state !== "broken") return nothing;
            const what = state === "hung" ? "does not answer within 5 s" : `fails: ${error ?? ""}`;
            const point = mountOf(context.facts, path)?.point ?? path;
            return finding(
                "nas",
                `${path} ${what} (${carrier(context, path)})`,
                "a file system that answers",
                `bring its server back, or \`sudo umount -l ${point}\` and mount it anew`,
            );
        }),
};

/** Docker would make an empty directory in place of a NAS that is not mounted. */
const mounted: Rule = {
    id: "nas-mounted",
    check: (context) => {
        const { plan } = context;
        if (plan.weights.location !== "nas" || awaitsMount(context)) return nothing;
        const types = plan.nasFsTypes.join(", ");
        const expected = `a mounted NAS (${types})`;
        return each(context, ["weights"], ({ path, state, resolved, empty }) => {
            const fix = `mount it (\`sudo mount ${path}\` when it is in /etc/fstab), or set weights.location to local`;
            if (state === "hung" || state === "broken") return nothing;
            if (state === "missing") {
                const where = carrier(context, path);
                return finding(
                    "nas",
                    `${path} is not a mount: there is no such directory (${where})`,
                    expected,
                    fix,
                );
            }
            const mount = mountOf(context.facts, resolved ?? path);
            if (mount !== undefined && plan.nasFsTypes.includes(mount.type)) return nothing;
            const what = empty === true ? "an empty directory" : "a directory";
            const where = carrier(context, resolved ?? path);
            return finding("nas", `${path} is not a mount: ${what} on ${where}`, expected, fix);
        });
    },
};

const readable: Rule = {
    id: "mount-readable",
    after: ["mount-answers", "nas-mounted"],
    check: (context) =>
        each(context, ["weights"], ({ path, readable: may }) => {
            if (may !== false) return nothing;
            const { user } = context.facts;
            return finding(
                "nas",
                `${user} may not read ${path}`,
                "a directory that the login user can read",
                "give it read permission there, or on the server's export",
            );
        }),
};

const directories: Rule = {
    id: "mount-exists",
    check: (context) => {
        const kinds: readonly Kind[] =
            context.plan.weights.location === "nas" ? ["directory"] : ["directory", "weights"];
        return each(context, kinds, ({ path, state, writable }) => {
            if (state !== "missing") return nothing;
            const { user } = context.facts;
            const filled = context.plan.weights.prefetch && path === hubOf(context);
            if (filled && writable === true) return nothing;
            return finding(
                "bad-mount",
                `there is no ${path}${filled ? `, and ${user} may not make it` : ""}`,
                "what is mounted into a rank to be there: only the hub is made, by weights.prefetch",
                `\`sudo install -d -o ${user} ${path}\` on ${context.node.name}, or correct the mount`,
            );
        });
    },
};

const cacheParents: Rule = {
    id: "cache-writable",
    check: (context) =>
        each(context, ["cache"], ({ path, state, above, writable }) => {
            const { user } = context.facts;
            if (state === "missing" && writable !== true) {
                return finding(
                    "bad-mount",
                    `${path} cannot be made: ${user} can make no directory in ${above ?? "/"}`,
                    "a cache directory that the login user can make",
                    `\`sudo install -d -o ${user} ${path}\`, after moving away what may stand in its place`,
                );
            }
            if (["missing", "hung", "broken", "directory"].includes(state)) return nothing;
            return finding("bad-mount", `${path} is a ${state}`, "a directory", "move it away");
        }),
};

/** Where kernels are compiled to, with what was found at the mount that holds it: it may be a folder below that. */
function cachesOf({ node, facts }: Context): readonly PathFacts[] {
    const { mounts } = node.rank;
    const mounted = mounts.filter(({ kind }) => kind === "cache").map(({ hostPath }) => hostPath);
    const paths = [...new Set([...mounted, ...node.jitCaches])];
    return paths.flatMap((path) => {
        const holder = mounts.find(({ hostPath }) => isWithin(path, hostPath));
        const found = holder && pathFacts(facts, holder.hostPath);
        return found === undefined ? [] : [{ ...found, path }];
    });
}

/** Compiled kernels are locked and mapped, which network file systems break (facts.md). */
const cachesAreLocal: Rule = {
    id: "cache-local",
    check: (context) =>
        cachesOf(context).flatMap(({ path, resolved, above }) => {
            const mount = mountOf(context.facts, resolved ?? above ?? path);
            if (mount === undefined || !context.plan.nasFsTypes.includes(mount.type)) {
                return nothing;
            }
            return finding(
                "bad-mount",
                `${path} lies on a network file system (${mount.type} of ${mount.source})`,
                "JIT caches on the node's own disk",
                "mount a local directory there",
            );
        }),
};

const home: Rule = {
    id: "home-matches",
    check: ({ node, facts }) => {
        const { home: declared } = node;
        if (declared === undefined || declared === facts.home) return nothing;
        const used = node.rank.mounts.some(({ hostPath }) => hostPath.startsWith(`${declared}/`));
        if (!used) return nothing;
        return finding(
            "bad-mount",
            `the home of ${facts.user} is ${facts.home}, the plan says ${declared}`,
            "`~` of the recipe to be the login user's home on that node",
            `set home: ${facts.home} for ${node.name} in the stack's configuration`,
        );
    },
};

export const mountRules: readonly Rule[] = [
    answers,
    mounted,
    readable,
    directories,
    home,
    cacheParents,
    cachesAreLocal,
];
