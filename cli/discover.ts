import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { configDifferences, type ListedNodes, parseNodes } from "../components/cluster";
import { type Discovery, discoverNodes } from "../components/host";
import { RecipeError, renderIssues } from "../components/issue";
import { discoverPage } from "./discoverPage";
import { editStack } from "./editStack";
import { orIssues } from "./orIssues";
import { issuesJson } from "./printIssues";
import { projectRoot } from "./projectRoot";
import { readStack } from "./readStack";

interface DiscoverOptions {
    readonly stack?: string;
    readonly write?: boolean;
    readonly json?: boolean;
}

function look({ nodes, sshConfig }: ListedNodes): Promise<Discovery> {
    const reachable = nodes.map(({ name, destination, port, hostKey }) => ({
        name,
        ssh: {
            destination,
            ...(port === undefined ? {} : { port }),
            ...(hostKey === undefined ? {} : { hostKey }),
            ...(sshConfig === undefined ? {} : { config: sshConfig }),
        },
    }));
    return discoverNodes(reachable, {
        onRetry: (node, why) => {
            process.stderr.write(`${node}  ${why.replace(/^[^:]*: /, "")}; trying for 30 s\n`);
        },
    });
}

async function report({ stack, write = false, json = false }: DiscoverOptions): Promise<void> {
    process.chdir(projectRoot(process.cwd()));
    const { stack: name, config, text = "" } = readStack(".", stack, process.env);
    const file = `Pulumi.${name}.yaml`;
    const listed = parseNodes(config, { file, text });
    const discovery = await look(listed);
    const failed = discovery.issues.some(({ severity }) => severity === "error");
    if (failed) throw new RecipeError(discovery.issues);
    const differences = configDifferences(listed.raw, discovery.nodes);
    const written = write && differences.length > 0;
    if (written) writeFileSync(file, editStack(text, differences));
    if (json) {
        const { issues } = JSON.parse(issuesJson(discovery.issues)) as { issues: object[] };
        const { nodes, choices } = discovery;
        const all = nodes.map((node, i) => ({ ...node, leftOut: choices[i]?.leftOut ?? [] }));
        process.stdout.write(
            `${JSON.stringify({ issues, nodes: all, differences, written }, null, 2)}\n`,
        );
    } else {
        process.stdout.write(`${discoverPage(discovery, { file, differences, written })}\n`);
        if (discovery.issues.length > 0) {
            process.stderr.write(`${renderIssues(discovery.issues)}\n`);
        }
    }
    if (!written && differences.some(({ needed }) => needed)) process.exitCode = 1;
}

/** Adds `spark discover`: exit code 0 when the configuration matches or was written, 1 when it does not or cannot be. */
export function registerDiscover(program: Command): void {
    program
        .command("discover")
        .description(
            "find what leads from each node to all others, and compare it with the stack's file",
        )
        .option("--stack <name>", "stack; default: the selected one")
        .option("--write", "write it into the stack's file; comments stay")
        .option("--json", "what was found, as JSON")
        .action((options: DiscoverOptions) => orIssues(() => report(options), options.json));
}
