import type { HolderFacts, ListenerFacts } from "./facts";
import {
    type Context,
    type Finding,
    finding,
    gib,
    isOwn,
    nothing,
    ownRuns,
    type Rule,
    warning,
} from "./rulesContext";
import { memoryRules } from "./rulesMemory";

const wildcard = ["0.0.0.0", "*", "[::]", "::"];

/** Whether a listener stands in the way of a bind. */
function clashes(listener: ListenerFacts, bind: string): boolean {
    const address = listener.address.replace(/%.*$/, "");
    return wildcard.includes(address) || wildcard.includes(bind) || address === bind;
}

/** `, 30.0 GiB of memory`: what a stranger holds besides the port; empty when that is unknown. */
function heldBy({ facts }: Context, match: (holder: HolderFacts) => boolean): string {
    const known = facts.holders.length > 0 ? facts.holders : facts.largest;
    const mib = known.filter(match).reduce((sum, each) => sum + each.mib, 0);
    return mib === 0 ? "" : `, ${gib(mib * 2 ** 20)} of memory`;
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
        const held = heldBy(context, (each) => each.container === container.id);
        return `container ${container.name} (image ${container.image}${held})`;
    }
    if (listener.pid !== 0) {
        const held = heldBy(context, ({ pid }) => pid === listener.pid);
        return `${listener.process} (process ${String(listener.pid)}${held})`;
    }
    // The login user does not see root's processes; a running rank of ours is the likely one.
    if (ownRuns(context)) return undefined;
    return `a process that ${context.facts.user} may not see (\`sudo ss -ltnp\` shows it)`;
}

function portRule(id: string, portOf: (context: Context) => readonly [number, string]): Rule {
    return {
        id,
        after: ["other-group"],
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
    ...memoryRules,
    disk,
];
