import { isatty } from "node:tty";
import type Table from "cli-table3";
import type { NodePlan, StackPlan } from "../components/plan";

/** A word as a shell would want it, for reading and for copying. */
export function shellWord(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** An argv with a flag and its values on each line. */
export function commandLines(command: readonly string[]): readonly string[] {
    return command.reduce<readonly string[]>((lines, word) => {
        const last = lines.at(-1);
        if (last === undefined || word.startsWith("-")) return [...lines, shellWord(word)];
        return [...lines.slice(0, -1), `${last} ${shellWord(word)}`];
    }, []);
}

async function nodeTable(nodes: readonly NodePlan[]): Promise<string> {
    const { default: CliTable } = await import("cli-table3");
    const options: Table.TableConstructorOptions = {
        head: ["rank", "node", "ssh", "fabric", "interface", "devices", "container"],
        style: { head: [], border: [], compact: true },
    };
    const table = new CliTable(options);
    for (const { name, ssh, fabric, rank } of nodes) {
        const port = ssh.port === undefined ? "" : `:${String(ssh.port)}`;
        table.push([
            `${String(rank.rank)} ${rank.role}`,
            name,
            `${ssh.destination}${port}`,
            fabric?.address ?? "-",
            fabric?.interface ?? "-",
            fabric?.hcas.join(" ") ?? "-",
            rank.containerName,
        ]);
    }
    return table.toString();
}

type Bold = (text: string) => string;

function rankPage({ name, rank }: NodePlan, bold: Bold): string {
    const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`);
    return [
        bold(`rank ${String(rank.rank)} on ${name}`),
        "  command",
        ...indent(commandLines(rank.command)),
        "  environment",
        ...indent(Object.entries(rank.env).map(([key, value]) => `${key}=${value}`)),
        "  mounts",
        ...indent(
            rank.mounts.map(
                ({ hostPath, containerPath, readOnly, kind }) =>
                    `${hostPath} -> ${containerPath} (${kind}${readOnly ? ", read-only" : ""})`,
            ),
        ),
    ].join("\n");
}

function origin({ build, pull, strategy }: StackPlan["image"]): string {
    const sent = strategy === "ship" ? ", sent by the first node to the others" : "";
    if (build !== null) return `, built from ${build.context}${sent}`;
    return pull === undefined ? sent : `, pulled as ${pull.images.join(", ")}${sent}`;
}

/** The plan for a reader: what runs where, with which command, environment and mounts. */
export async function planPage(plan: StackPlan): Promise<string> {
    const { default: picocolors } = await import("picocolors");
    // Its own guess colours pipes and files too where CI is set.
    const colors = picocolors.createColors(isatty(1));
    const { image, model, api } = plan;
    const revision = model.revision ?? "not pinned";
    return [
        `${colors.bold(plan.title)} (recipe ${plan.recipe}, stack ${plan.stack})`,
        `model     ${model.id} at ${revision}, served as ${model.servedName}`,
        `image     ${image.tag} for ${image.platform}${origin(image)}`,
        `endpoint  ${api.endpoint}${api.authenticated ? ", with a key" : ""}`,
        `group     ${plan.group}`,
        `gates     ${plan.smoke.map(({ kind }) => kind).join(", ")}`,
        "",
        await nodeTable(plan.nodes),
        ...plan.nodes.map((node) => `\n${rankPage(node, colors.bold)}`),
    ].join("\n");
}
