import type { Issue } from "../issue";
import type { FabricChoice } from "./chooseFabric";
import type { NodeFacts } from "./facts";
import type { LeftOut } from "./fabricPorts";
import { isLinkLocal, netplanFor } from "./subnet";

type Problem = Pick<Issue, "problem" | "expected" | "fix" | "severity">;

const shown = ({ device, interface: name, reason }: LeftOut) =>
    `${device}${name === "" ? "" : ` (${name})`}: ${reason}`;

function noPort({ leftOut }: FabricChoice): readonly Problem[] {
    const why = leftOut.map(shown).join("; ");
    return [
        {
            severity: "error",
            problem: `no port leads to all other nodes (${why || "there is no RDMA device"})`,
            expected:
                "an active RDMA port with an IPv4 address in one subnet with all nodes, on which all answer",
            fix:
                why === ""
                    ? "`sudo modprobe -a mlx5_core mlx5_ib`, and look at `rdma link`"
                    : "look at cables and at `ip addr` of all nodes; addresses belong into netplan",
        },
    ];
}

/** What one node's part of the fabric lacks; `head` is the first node's. */
function problemsOf(
    choice: FabricChoice,
    facts: NodeFacts,
    { head, host }: { readonly head: FabricChoice | undefined; readonly host: number },
): readonly Problem[] {
    const { fabric } = choice;
    if (fabric === undefined) return noPort(choice);
    const { address, interface: name, mtu } = fabric;
    const wanted = head?.fabric?.mtu ?? mtu;
    const problems: Problem[] = [];
    if (mtu !== wanted) {
        problems.push({
            severity: "error",
            problem: `${name} has MTU ${String(mtu)}, ${head?.node ?? ""} has ${String(wanted)}`,
            expected: "one MTU on all nodes",
            fix: `\`sudo ip link set ${name} mtu ${String(wanted)}\` and in netplan (9000 is wanted), then run discover again`,
        });
    }
    if (isLinkLocal(address)) {
        problems.push({
            severity: "warning",
            problem: `${address} on ${name} is link-local: it may be another one after a restart`,
            expected: "a fixed address",
            fix: netplanFor(facts, name, host),
        });
    }
    const twins = choice.leftOut.filter(({ reason }) => reason.includes(" too: "));
    for (const twin of twins) {
        problems.push({
            severity: "warning",
            problem: `${twin.interface} is in one subnet with ${name}: traffic takes either`,
            expected: "a subnet of its own for each port",
            fix: netplanFor(facts, twin.interface, host),
        });
    }
    return problems;
}

/** What stands against the fabric that was found, node by node. */
export function discoverIssues(
    choices: readonly FabricChoice[],
    all: readonly NodeFacts[],
): readonly Issue[] {
    return choices.flatMap((choice, index) => {
        const facts = all.find(({ node }) => node === choice.node);
        if (facts === undefined) return [];
        const around = { head: choices[0], host: index + 1 };
        return problemsOf(choice, facts, around).map((problem) => ({
            code: "fabric" as const,
            file: choice.node,
            path: "",
            ...problem,
        }));
    });
}
