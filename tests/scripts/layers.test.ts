import { execFileSync } from "node:child_process";
import path from "node:path";

const root = path.dirname(path.dirname(__dirname));
type Sample = readonly [file: string, text: string];

/**
 * The messages of the layer rules for each text, as if it were that file. In a process of its own, because jest's
 * loader does not take eslint.config.mjs; without types, which these rules do not need.
 */
function lint(samples: readonly Sample[]): readonly (readonly string[])[] {
    const program = `
        import { ESLint } from "eslint";
        const eslint = new ESLint({
            ruleFilter: ({ ruleId }) => ruleId.startsWith("no-restricted-"),
            overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
        });
        const messages = [];
        for (const [filePath, text] of ${JSON.stringify(samples)}) {
            const [result] = await eslint.lintText(text, { filePath });
            messages.push(result.messages.map(({ message }) => message));
        }
        console.log(JSON.stringify(messages));`;
    const output = execFileSync("node", ["--input-type=module", "-e", program], { cwd: root });
    return JSON.parse(output.toString()) as string[][];
}

const allowed: readonly Sample[] = [
    ["components/recipe/rules.ts", 'import { RecipeError } from "../issue"; import "./schema";'],
    ["components/cluster/rules.ts", 'import type { RecipeMount } from "../recipe";'],
    ["components/plan/ranks.ts", 'import { createHash } from "node:crypto"; import "../cluster";'],
    ["components/plan/deep/x.ts", 'import "../names"; import "../../recipe";'],
    ["components/resources/rank.ts", 'import "@pulumi/docker"; import type { P } from "../plan";'],
    [
        "components/resources/tell.ts",
        'import { describeReplacement, type StackPlan } from "../plan";',
    ],
    ["components/host/launch.ts", 'import "node:fs"; import type { RankPlan } from "../plan";'],
    ["components/image/digest.ts", 'import "node:fs"; import "../issue"; Date.now();'],
    ["components/loadPlan.ts", 'import "./recipe"; import "./plan"; import "node:fs";'],
    ["cli/check.ts", 'import "../components/recipe"; import "../components/host";'],
    ["index.ts", 'import "@pulumi/pulumi"; import "./components/resources";'],
];

const refused: readonly (readonly [...Sample, message: RegExp])[] = [
    ["components/issue.ts", 'import "./recipe";', /Issues know nothing of ours/],
    ["components/recipe/x.ts", 'import "../cluster";', /may import issue, by/],
    ["components/recipe/x.ts", 'import "node:fs";', /is pure/],
    ["components/recipe/x.ts", 'import { readFile } from "fs/promises";', /is pure/],
    ["components/recipe/deep/x.ts", 'import "../../cluster";', /may import issue, by/],
    ["components/cluster/x.ts", 'import "../recipe/schema";', /may import issue, recipe, by/],
    ["components/cluster/x.ts", "process.env;", /is pure/],
    ["components/plan/x.ts", 'import "../host";', /may import issue, recipe, cluster, image, by/],
    ["components/plan/x.ts", "new Date();", /is pure/],
    ["components/plan/x.ts", "Math.random();", /is pure/],
    ["components/plan/x.ts", 'import { randomUUID } from "node:crypto";', /is pure/],
    ["components/plan/x.ts", 'import "@pulumi/pulumi";', /know Pulumi/],
    ["components/image/x.ts", 'import "../plan";', /may import issue, writing, recipe, by/],
    ["components/resources/x.ts", 'import { planStack } from "../plan";', /plan's types alone/],
    ["components/resources/x.ts", 'import "../recipe";', /may import plan, by/],
    ["components/host/x.ts", 'import { planStack } from "../plan";', /plan's types alone/],
    ["components/host/x.ts", 'import "@pulumi/command";', /know Pulumi/],
    ["components/loadPlan.ts", 'import "./resources";', /ends in a plan/],
    ["cli/check.ts", 'import "../components/resources";', /never declares resources/],
    ["cli/check.ts", 'import "../components/recipe/schema";', /not a file of it/],
    ["cli/check.ts", 'import "@pulumi/pulumi";', /know Pulumi/],
];

const messages = lint([...allowed, ...refused.map(([file, text]): Sample => [file, text])]);

test.each(allowed.map(([file, text], index) => ({ file, text, index })))(
    "$file may: $text",
    ({ index }) => {
        expect(messages[index]).toEqual([]);
    },
);

test.each(refused.map(([file, text, message], index) => ({ file, text, message, index })))(
    "$file may not: $text",
    ({ message, index }) => {
        expect(messages[allowed.length + index]).toEqual([expect.stringMatching(message)]);
    },
);
