import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { namespace, ownKeys } from "../components/cluster";
import { type Issue, RecipeError } from "../components/issue";
import type { StackSource } from "../components/loadPlan";
import { selectedStack, stackName } from "./selectedStack";

const problem = (issue: Omit<Issue, "code" | "severity">): Issue => ({
    code: "bad-config",
    severity: "error",
    ...issue,
});

function stacksOf(root: string): readonly string[] {
    return readdirSync(root)
        .flatMap((file) => /^Pulumi\.(.+)\.ya?ml$/.exec(file)?.[1] ?? [])
        .toSorted();
}

function noStack(root: string): RecipeError {
    const stacks = stacksOf(root);
    const which = stacks.length > 0 ? stacks.join(", ") : "pulumi stack init spark";
    const fix = `pulumi stack select NAME, or --stack NAME (${which})`;
    return new RecipeError([
        problem({ path: "", problem: "no stack is selected", expected: "the stack's name", fix }),
    ]);
}

function readText(root: string, stack: string): string {
    const file = `Pulumi.${stack}.yaml`;
    try {
        return readFileSync(path.join(root, file), "utf8");
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        const missing = code === "ENOENT";
        const stacks = stacksOf(root).join(", ");
        throw new RecipeError([
            problem({
                file,
                path: "",
                problem: missing ? "there is no such file" : `cannot be read (${code})`,
                expected: missing
                    ? `the configuration of one of the stacks: ${stacks}`
                    : "a readable file",
            }),
        ]);
    }
}

/** The engine refuses such a key for the whole file, in words of its own. */
function withoutNamespace(key: unknown, file: string, lines: LineCounter): readonly Issue[] {
    if (!isScalar(key) || String(key.value).includes(":")) return [];
    const { line, col: column } = lines.linePos(key.range?.[0] ?? 0);
    const name = String(key.value);
    const expected = `a key with its namespace: ${namespace}:${name}`;
    return [problem({ file, line, column, path: name, problem: "no namespace", expected })];
}

/**
 * The configuration in a stack's file, keys without namespace, secrets as the opaque objects that stand there.
 *
 * @throws RecipeError when the text is no YAML or has no configuration.
 */
export function configOf(text: string, file: string): Readonly<Record<string, unknown>> {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    if (document.errors.length > 0) {
        throw new RecipeError(
            document.errors.map(({ message, pos }) => {
                const { line, col: column } = lines.linePos(pos[0]);
                return problem({
                    file,
                    line,
                    column,
                    path: "",
                    problem: message,
                    expected: "YAML",
                });
            }),
        );
    }
    const config = document.get("config", true);
    if (config === undefined || config === null) return {};
    if (isMap(config)) {
        const bare = config.items.flatMap(({ key }) => withoutNamespace(key, file, lines));
        if (bare.length > 0) throw new RecipeError(bare);
        return ownKeys(config.toJSON() as Record<string, unknown>);
    }
    const expected = `keys as ${namespace}:recipe below it`;
    throw new RecipeError([problem({ file, path: "config", problem: "no block", expected })]);
}

/**
 * What the walk starts from, read without the engine: no passphrase is needed.
 *
 * @param root folder of Pulumi.yaml.
 * @param name stack; default: the selected one.
 */
export function readStack(
    root: string,
    name: string | undefined,
    env: NodeJS.ProcessEnv,
): StackSource {
    const chosen = name ?? selectedStack(root, namespace, env);
    if (chosen === undefined) throw noStack(root);
    const { stack, owner } = stackName(chosen, namespace);
    const text = readText(root, stack);
    return { project: root, stack, owner, config: configOf(text, `Pulumi.${stack}.yaml`), text };
}
