import type { Difference } from "../components/cluster";
import type { Discovery } from "../components/host";

const word = (value: unknown) =>
    Array.isArray(value)
        ? `[${value.join(", ")}]`
        : JSON.stringify(value ?? "nothing").replace(/^"(.*)"$/, "$1");

function change({ index, key, from, to }: Difference): string {
    return `    nodes[${String(index)}].${key.join(".")}  ${word(from)} -> ${word(to)}`;
}

function nodeLines({ nodes, choices }: Discovery): readonly string[] {
    return nodes.flatMap(({ node, home, fabric, hostKey }, index) => {
        const lines = [
            ...(fabric === undefined
                ? []
                : [
                      `${fabric.interface} ${fabric.address}, MTU ${String(fabric.mtu)}, ${fabric.hcas.join(" ")}`,
                  ]),
            `home ${home}`,
            hostKey === undefined
                ? "host key: none in known_hosts that could be pinned"
                : `host key ${hostKey.slice(0, 40)}… (trusted here already)`,
            ...(choices[index]?.leftOut ?? []).map(
                ({ device, interface: name, reason }) =>
                    `left out: ${device}${name === "" ? "" : ` (${name})`}: ${reason}`,
            ),
        ];
        const width = Math.max(...nodes.map((each) => each.node.length)) + 2;
        return lines.map((line, at) => `${(at === 0 ? node : "").padEnd(width)}${line}`);
    });
}

/** What was found, and how the stack's file differs from it. */
export function discoverPage(
    discovery: Discovery,
    found: {
        readonly file: string;
        readonly differences: readonly Difference[];
        readonly written: boolean;
    },
): string {
    const { file, differences, written } = found;
    const wrong = differences.filter(({ needed }) => needed);
    const better = differences.filter(({ needed }) => !needed);
    const list = (title: string, which: readonly Difference[]) =>
        which.length === 0 ? [] : ["", title, ...which.map(change)];
    const lines = written
        ? list(`Written to ${file}:`, differences)
        : [...list(`${file} does not match:`, wrong), ...list(`${file} could also have:`, better)];
    const end =
        differences.length === 0
            ? `${file} matches.`
            : written
              ? "Look at it with `git diff`, then `npm run spark -- doctor`."
              : `${wrong.length === 0 ? `${file} matches. ` : ""}Nothing was changed; --write writes it.`;
    return [...nodeLines(discovery), ...lines, "", end].join("\n");
}
