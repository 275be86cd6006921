import { finding, nothing, type Rule, warning } from "./rulesContext";

/** Kernels that break what the ranks need; the tell-tale shows on others of the kind too. */
const brokenKernels = ["7.0.0-1019-nvidia", "7.0.0-31"];

const kernel: Rule = {
    id: "kernel-rdma",
    check: ({ facts, plan }) => {
        const { CmaFree: free = 0, CmaTotal: total = 0 } = facts.memory;
        const known = brokenKernels.some((version) => facts.kernel.startsWith(version));
        if (plan.nodes.length < 2 || (!known && free <= total)) return nothing;
        const why =
            free > total ? `CmaFree ${String(free)} kB above CmaTotal ${String(total)} kB` : "";
        return warning(
            finding(
                "kernel",
                `kernel ${facts.kernel} breaks RDMA memory registration${why === "" ? "" : ` (${why})`}`,
                "a kernel without that fault",
                "boot the previous kernel, or update",
            ),
        );
    },
};

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

export const machineRules: readonly Rule[] = [distinct, kernel, clock];
