import { finding, nothing, type Rule, warning } from "./rulesContext";
import { knownBadRules } from "./rulesKnownBad";

const clock: Rule = {
    id: "clock",
    check: ({ facts }) => {
        const seconds = Math.round(facts.clockAhead);
        if (Math.abs(seconds) < 30) return nothing;
        const way = seconds > 0 ? "ahead of" : "behind";
        return warning(
            finding(
                "clock",
                `the clock is ${String(Math.abs(seconds))} s ${way} this machine's`,
                "clocks that agree: logs of the ranks are compared by time",
                "`sudo timedatectl set-ntp true`",
            ),
        );
    },
};

const distinct: Rule = {
    id: "distinct-machines",
    check: ({ facts, all }) => {
        const twin = all
            .slice(0, all.indexOf(facts))
            .find((other) => other.bootId === facts.bootId && other.hostname === facts.hostname);
        if (twin === undefined) return nothing;
        return finding(
            "bad-config",
            `this is the same machine as ${twin.node} (${facts.hostname})`,
            "one rank a machine",
            "correct the hosts in the stack's configuration",
        );
    },
};

const major = (version: string) => version.split(".")[0] ?? version;

/** Daemons of two generations differ in defaults that a rank depends on. */
const sameDocker: Rule = {
    id: "docker-same-major",
    check: ({ facts, all, plan }) => {
        const head = all.find(({ node }) => node === plan.nodes[0]?.name);
        const [own, first] = [facts.docker.version, head?.docker.version];
        if (own === undefined || first === undefined || major(own) === major(first)) return nothing;
        return warning(
            finding(
                "docker",
                `Docker is ${own}, on ${head?.node ?? ""} it is ${first}`,
                "one major version on all nodes",
                "`sudo apt-get install --only-upgrade docker-ce` on the older one",
            ),
        );
    },
};

export const machineRules: readonly Rule[] = [distinct, ...knownBadRules, clock, sameDocker];
