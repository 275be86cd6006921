import { RecipeError } from "../issue";
import type { StackPlan } from "../plan";
import { graceSeconds } from "./group";
import { runScript } from "./ssh";
import takeOverScript from "./takeOver.sh";

/**
 * Stops other groups' ranks on all nodes at once, where `launch.takeOver` asks for it. What it did is told line
 * by line: the other group's owner will want to know.
 */
export async function takeOver(
    plan: StackPlan,
    groupId: string,
    say: (text: string) => void,
): Promise<void> {
    if (!plan.launch.takeOver) return;
    await Promise.all(
        plan.nodes.map(async (node) => {
            const { code, stdout, stderr } = await runScript(node, takeOverScript, {
                args: [groupId, String(graceSeconds), node.rank.containerName],
                timeoutSeconds: graceSeconds + 30,
            });
            for (const line of stdout.split("\n").filter((text) => text !== "")) {
                say(`${node.name}: ${line}`);
            }
            if (code === 0) return;
            throw new RecipeError([
                {
                    code: "docker",
                    severity: "error",
                    file: node.name,
                    path: "launch.takeOver",
                    problem: `another group's rank could not be stopped: ${stderr.trim()}`,
                    expected: "Docker on the node to answer",
                    fix: `try \`ssh ${node.ssh.destination} docker ps\``,
                },
            ]);
        }),
    );
}
