import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(path.dirname(__dirname));
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

const { dependencies, devDependencies, engines } = JSON.parse(read("package.json")) as Record<
    "dependencies" | "devDependencies" | "engines",
    Readonly<Record<string, string>>
>;

test.each([
    ["pulumi_version", "@pulumi/pulumi"],
    ["docker_plugin_version", "@pulumi/docker"],
    ["command_plugin_version", "@pulumi/command"],
])("set-up's %s is that of %s", (variable, dependency) => {
    expect(read("scripts/versions.sh")).toContain(
        `\n${variable}=${dependencies[dependency] ?? ""}\n`,
    );
});

test("every dependency is pinned to one version", () => {
    const versions = Object.values({ ...dependencies, ...devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("the Node of CI is the oldest that is allowed", () => {
    expect(engines["node"]).toBe(`>=${read(".node-version").trim()}`);
});
