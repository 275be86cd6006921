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

const kib = (context: Context, key: string) => (context.facts.memory[key] ?? 0) * 1024;

/** Ids of this stack's own running containers. */
function ownIds(context: Context): readonly string[] {
    return context.facts.docker.containers
        .filter((container) => container.running && isOwn(context, container))
        .map(({ id }) => id);
}

/** Bytes that the stack's own ranks hold and give back before new ones start. */
function heldByOwn(context: Context): number {
    const own = ownIds(context);
    return context.facts.holders
        .filter(({ container }) => own.includes(container))
        .reduce((sum, { mib }) => sum + mib * 2 ** 20, 0);
}

/** Who of others holds much: named, because it must go before the ranks fit. */
function others(context: Context): string {
    const { holders, largest, docker } = context.facts;
    const own = ownIds(context);
    const strangers = (list: typeof holders) =>
        list.filter(({ container }) => !own.includes(container));
    const found = strangers(holders).length > 0 ? strangers(holders) : strangers(largest);
    const named = found.map(({ mib, container, process, pid }) => {
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
        const own = heldByOwn(context);
        // Ranks run, but nobody tells what they hold: what would be free without them is unknown.
        if (!(needed > 0) || (ownRuns(context) && own === 0)) return nothing;
        const free = kib(context, "MemFree") + own;
        const available = kib(context, "MemAvailable") + own;
        if (free >= needed) return nothing;
        const of = `${text} of ${gib(total)}`;
        const counted = own === 0 ? "" : ` without this stack's ranks (${gib(own)})`;
        if (available < needed) {
            const most = Math.floor((available / total) * 100) / 100;
            return finding(
                "memory",
                `${gib(available)} of memory are available${counted}, the engine wants ${gib(needed)} (${of})${others(context)}`,
                "the engine's share to be free",
                `stop what holds it, or lower --gpu-memory-utilization to ${most.toFixed(2)}`,
            );
        }
        return context.plan.launch.dropCaches
            ? nothing
            : pageCache(context, { free, cached: available - free, needed, of: `${of}${counted}` });
    },
};

function pageCache(
    context: Context,
    found: { readonly free: number; readonly cached: number; readonly needed: number; of: string },
): readonly Finding[] {
    const { free, cached, needed, of } = found;
    return warning(
        finding(
            "memory",
            `${gib(free)} of memory are free and ${gib(cached)} are page cache; the engine wants ${gib(needed)} (${of})`,
            "the share free without it: on unified memory page cache may count as used",
            `set launch.dropCaches: true, or \`${sudo(context, "sh -c 'sync; echo 3 > /proc/sys/vm/drop_caches'")}\``,
        ),
    );
}

/**
 * What a rank takes beside sharded weights and KV cache: parts that are not sharded, activations, CUDA graphs. The
 * seed's 78 GiB of weights a rank were seen as 84 GiB loaded (facts.md).
 */
const marginBytes = 8 * 2 ** 30;

/** Weights, cache and margin of one rank against the machine; a given KV size ignores the utilization (facts.md). */
const fit: Rule = {
    id: "memory-fit",
    check: (context) => {
        const { plan, facts, node } = context;
        const weights = (facts.hub?.snapshot?.totalSize ?? 0) / plan.nodes.length;
        const names = ["--kv-cache-memory-bytes", "--kv-cache-memory"];
        const cache = Number(commandFlag(node.rank.command, names) ?? 0) || 0;
        const total = kib(context, "MemTotal");
        const limit = cache > 0 ? total : total * (Number(memoryShare(node.rank.command)) || 1);
        if (total === 0 || weights === 0 || weights + cache + marginBytes <= limit) return nothing;
        const has = limit === total ? "the node has" : "the engine's share is";
        const parts = cache > 0 ? ` and ${gib(cache)} of KV cache` : "";
        const found = finding(
            "memory",
            `a rank needs ${gib(weights)} of weights${parts}, ${has} ${gib(limit)}`,
            `weights, cache and some ${gib(marginBytes)} for the rest to fit`,
            cache > 0
                ? "use more nodes, or a smaller --kv-cache-memory-bytes"
                : "use more nodes, or a larger --gpu-memory-utilization",
        );
        return weights + cache > limit ? found : warning(found);
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

export const memoryRules: readonly Rule[] = [share, fit, shm];
