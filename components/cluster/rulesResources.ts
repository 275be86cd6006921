import type { ListenerFacts } from "./facts";
import { commandFlag, memoryShare } from "./rulesCommand";
import {
    type Context,
    type Finding,
    finding,
    gib,
    isOwn,
    nothing,
    ownRuns,
    type Rule,
    sudo,
    warning,
} from "./rulesContext";

const wildcard = ["0.0.0.0", "*", "[::]", "::"];

/** Whether a listener stands in the way of a bind. */
function clashes(listener: ListenerFacts, bind: string): boolean {
    const address = listener.address.replace(/%.*$/, "");
    return wildcard.includes(address) || wildcard.includes(bind) || address === bind;
}

/** Who holds a port: undefined when it is a rank of ours. */
function stranger(context: Context, listener: ListenerFacts): string | undefined {
    const { containers } = context.facts.docker;
    const container = containers.find(
        ({ id, publishedPorts }) =>
            id === listener.container || publishedPorts.includes(listener.port),
    );
    if (container !== undefined) {
        if (isOwn(context, container)) return undefined;
        return `container ${container.name} (image ${container.image})`;
    }
    if (listener.pid !== 0) return `${listener.process} (process ${String(listener.pid)})`;
    // The login user does not see root's processes; a running rank of ours is the likely one.
    if (ownRuns(context)) return undefined;
    return `a process that ${context.facts.user} may not see (\`sudo ss -ltnp\` shows it)`;
}

function portRule(id: string, portOf: (context: Context) => readonly [number, string]): Rule {
    return {
        id,
        check: (context) => {
            if (context.node.rank.role !== "head") return nothing;
            const [port, bind] = portOf(context);
            const holders = (context.facts.listeners ?? [])
                .filter((listener) => listener.port === port && clashes(listener, bind))
                .flatMap((listener) => stranger(context, listener) ?? []);
            const key = id === "api-port" ? "api.port" : "masterPort";
            return [...new Set(holders)].flatMap((holder) =>
                finding(
                    "port-taken",
                    `port ${String(port)} is held by ${holder}`,
                    `a free port for the head (${key})`,
                    `stop it, or choose another ${key} in the stack's configuration`,
                ),
            );
        },
    };
}

const kib = (context: Context, key: string) => (context.facts.memory[key] ?? 0) * 1024;

/** Who of others holds much: named, because it must go before the ranks fit. */
function others(context: Context): string {
    const { holders, docker } = context.facts;
    const named = holders.map(({ mib, container, process, pid }) => {
        const name = docker.containers.find(({ id }) => id === container)?.name;
        const who =
            name === undefined ? `${process} (process ${String(pid)})` : `container ${name}`;
        return `${who} holds ${gib(mib * 2 ** 20)}`;
    });
    return named.length === 0 ? "" : `; ${named.join(", ")}`;
}

/** The engine refuses to start when this share is not free once the old ranks are gone (facts.md). */
const share: Rule = {
    id: "memory-share",
    check: (context) => {
        const text = memoryShare(context.node.rank.command);
        const total = kib(context, "MemTotal");
        const needed = Number(text) * total;
        if (!(needed > 0) || ownRuns(context)) return nothing;
        const [free, available] = [kib(context, "MemFree"), kib(context, "MemAvailable")];
        if (free >= needed) return nothing;
        const of = `${text} of ${gib(total)}`;
        if (available < needed) {
            const most = Math.floor((available / total) * 100) / 100;
            return finding(
                "memory",
                `${gib(available)} of memory are available, the engine wants ${gib(needed)} (${of})${others(context)}`,
                "the engine's share to be free",
                `stop what holds it, or lower --gpu-memory-utilization to ${most.toFixed(2)}`,
            );
        }
        if (context.plan.launch.dropCaches) return nothing;
        const found = finding(
            "memory",
            `${gib(free)} of memory are free and ${gib(available - free)} are page cache; the engine wants ${gib(needed)} (${of})`,
            "the share free without it: on unified memory page cache may count as used",
            `set launch.dropCaches: true, or \`${sudo(context, "sh -c 'sync; echo 3 > /proc/sys/vm/drop_caches'")}\``,
        );
        return warning(found);
    },
};

/** Weights and cache of one rank can never be more than the machine has. */
const fit: Rule = {
    id: "memory-fit",
    check: (context) => {
        const { plan, facts, node } = context;
        const weights = (facts.hub?.snapshot?.totalSize ?? 0) / plan.nodes.length;
        const names = ["--kv-cache-memory-bytes", "--kv-cache-memory"];
        const cache = Number(commandFlag(node.rank.command, names) ?? 0) || 0;
        const total = kib(context, "MemTotal");
        if (total === 0 || weights + cache <= total) return nothing;
        return finding(
            "memory",
            `a rank needs ${gib(weights)} of weights and ${gib(cache)} of KV cache, the node has ${gib(total)}`,
            "weights and cache to fit",
            "use more nodes, or a smaller --kv-cache-memory-bytes",
        );
    },
};

/** With host IPC the ranks use the node's own /dev/shm; a small one kills rank 0 and leaves rank 1 waiting. */
const shm: Rule = {
    id: "shared-memory",
    check: ({ facts }) => {
        const neededKib = 160 * 1024;
        if (facts.shm === undefined || facts.shm.freeKib >= neededKib) return nothing;
        return finding(
            "memory",
            `/dev/shm has ${gib(facts.shm.freeKib * 1024)} free`,
            "160 MiB and more: ranks share the node's IPC",
            "remove what fills it, or `sudo mount -o remount,size=8g /dev/shm`",
        );
    },
};

const disk: Rule = {
    id: "disk-image",
    check: ({ facts: { docker }, plan }): readonly Finding[] => {
        const { space, images, root = "Docker's folder" } = docker;
        const there = images.some(({ tags }) => tags.includes(plan.image.tag));
        if (space === undefined || there) return nothing;
        const free = space.freeKib * 1024;
        // An image of this kind takes some 25 GiB unpacked, its layers once more while they are fetched.
        if (free >= 40 * 2 ** 30) return nothing;
        const found = finding(
            "disk",
            `${root} has ${gib(free)} free`,
            "about 40 GiB for a new image",
            "`docker system df` shows what takes the room, `docker image prune` frees some",
        );
        return free < 4 * 2 ** 30 ? found : warning(found);
    },
};

export const resourceRules: readonly Rule[] = [
    portRule("api-port", ({ plan }) => [plan.api.port, plan.api.bind]),
    // The rendezvous store binds to every address.
    portRule("master-port", ({ plan }) => [plan.masterPort, "0.0.0.0"]),
    share,
    fit,
    shm,
    disk,
];
