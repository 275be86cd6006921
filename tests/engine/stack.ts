import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import {
    type ConfigValue,
    type EngineEvent,
    LocalWorkspace,
    type Stack,
    type UpOptions,
} from "@pulumi/pulumi/automation";

import type { StackPlan } from "../../components/plan";
import { labConfig, root } from "./lab";

/** Steps of a preview or an update that do something: logical name -> operation. */
export type Changes = Readonly<Record<string, string>>;

const quiet = new Set(["same", "read", "refresh"]);

/** A stack of the program in this checkout, on the simulated nodes, in the run's own local state. */
export class LabStack {
    private constructor(
        readonly stack: Stack,
        /** Everything the engine displayed since the last call. */
        public output: string,
    ) {}

    static async create(name: string): Promise<LabStack> {
        const stack = await LocalWorkspace.createOrSelectStack({ stackName: name, workDir: root });
        const lab = new LabStack(stack, "");
        await lab.configure(labConfig());
        return lab;
    }

    /** Sets configuration keys; structured values as they are. */
    async configure(values: Readonly<Record<string, unknown>>): Promise<void> {
        const entries = Object.entries(values);
        await this.stack.setAllConfig(
            Object.fromEntries(
                entries.map(([key, value]) => [`spark-vllm:${key}`, asConfig(value)]),
            ),
        );
    }

    /** What `spark plan` says of this stack. */
    async plan(): Promise<StackPlan> {
        const args = ["scripts/spark.js", "plan", "--stack", this.stack.name, "--json"];
        const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
        return JSON.parse(stdout) as StackPlan;
    }

    /** The stack's outputs, secrets left out. */
    async outputs(): Promise<Readonly<Record<string, unknown>>> {
        const outputs = Object.entries(await this.stack.outputs());
        return Object.fromEntries(
            outputs.flatMap(([name, { value, secret }]) =>
                secret ? [] : [[name, value as unknown]],
            ),
        );
    }

    async preview(): Promise<Changes> {
        const events: EngineEvent[] = [];
        this.output = "";
        await this.stack.preview({ ...this.options(events) });
        return changesOf(events);
    }

    async up(
        options: Pick<
            UpOptions,
            "refresh" | "target" | "targetDependents" | "exclude" | "replace" | "onOutput"
        > = {},
    ): Promise<Changes> {
        const events: EngineEvent[] = [];
        this.output = "";
        const own = this.options(events);
        await this.stack.up({
            ...options,
            ...own,
            onOutput: (text) => {
                own.onOutput(text);
                options.onOutput?.(text);
            },
        });
        return changesOf(events);
    }

    async destroy(): Promise<void> {
        this.output = "";
        await this.stack.destroy({ onOutput: this.collect });
    }

    /** Destroys it and forgets its state and its file. */
    async remove(): Promise<void> {
        await this.destroy();
        await this.stack.workspace.removeStack(this.stack.name);
    }

    /** Runs something that must fail; returns all that was displayed. */
    async failing(operation: () => Promise<unknown>): Promise<string> {
        try {
            await operation();
        } catch {
            return this.output;
        }
        throw new Error(`this should have failed:\n${this.output}`);
    }

    private readonly collect = (text: string): void => {
        this.output += text;
    };

    private options(events: EngineEvent[]) {
        return {
            onOutput: this.collect,
            onError: this.collect,
            onEvent: (event: EngineEvent) => events.push(event),
        };
    }
}

function asConfig(value: unknown): ConfigValue {
    return { value: typeof value === "string" ? value : JSON.stringify(value) };
}

/** Name and operation of every step that changes something; replacement steps folded into "replace". */
function changesOf(events: readonly EngineEvent[]): Changes {
    const changes: Record<string, string> = {};
    for (const event of events) {
        const metadata = event.resourcePreEvent?.metadata;
        if (metadata === undefined || quiet.has(metadata.op)) continue;
        const name = metadata.urn.split("::").at(-1) ?? "";
        // The engine's own default providers are no resources of the program.
        if (name.startsWith("default")) continue;
        changes[name] = metadata.op.includes("replace") ? "replace" : metadata.op;
    }
    return changes;
}

/** A copy of a recipe with one text replaced, to be named by the stack's `recipe` key. */
export function editedRecipe(
    folder: string,
    from: string,
    to: string,
    recipe = "dsv4-flash-vision",
): string {
    const text = readFileSync(path.join(root, "recipes", recipe, "recipe.toml"), "utf8");
    if (!text.includes(from)) throw new Error(`the recipe has no ${from}`);
    const file = path.join(folder, "recipe.toml");
    writeFileSync(file, text.replace(from, to));
    return file;
}
