import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { parse } from "yaml";

const root = path.dirname(path.dirname(__dirname));
const folder = path.join(root, ".github/workflows");

interface Workflow {
    readonly on: string | Readonly<Record<string, unknown>>;
    readonly concurrency: Readonly<Record<string, unknown>>;
    readonly jobs: Readonly<
        Record<
            string,
            {
                readonly environment?: string;
                readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
            }
        >
    >;
}
const read = (name: string) => parse(readFileSync(path.join(folder, name), "utf8")) as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

test.each(readdirSync(folder))(
    "%s: actions are pinned by commit, and their version is said",
    (name) => {
        const text = readFileSync(path.join(folder, name), "utf8");
        const uses = text.match(/uses: .*/g) ?? [];
        expect(uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d/.test(line))).toEqual([]);
    },
);

test.each([
    ["preview.yml", ["preview"]],
    ["deploy.yml", ["deploy", "destroy"]],
])("%s calls scripts that are there", (name, scripts) => {
    const runs = stepsOf(read(name)).flatMap(({ run }) => run ?? []);
    expect(runs.filter((line) => line.includes("scripts/gitops/"))).toHaveLength(1);
    for (const script of scripts) {
        expect(runs.join("\n")).toContain(script);
        expect(existsSync(path.join(root, "scripts/gitops", script))).toBe(true);
    }
});

test("deploy: one at a time, approved, destroyed only by hand", () => {
    const { on, concurrency, jobs } = read("deploy.yml");
    expect(concurrency).toEqual({ group: "deploy", "cancel-in-progress": false });
    expect(jobs["deploy"]?.environment).toBe("spark");
    expect(Object.keys(on)).toEqual(["push", "workflow_dispatch"]);
    // `inputs` is empty on a push.
    expect(stepsOf(read("deploy.yml")).at(-1)?.run).toBe(
        "scripts/gitops/${{ inputs.action == 'destroy' && 'destroy' || 'deploy' }}",
    );
});

test("preview: for change requests, which may come from a fork", () => {
    expect(read("preview.yml").on).toBe("pull_request");
});
