import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import asRoot from "../../components/host/asRoot.sh";
import docker from "../../components/host/facts/docker.sh";
import json from "../../components/host/facts/json.sh";
import system from "../../components/host/facts/system.sh";
import group from "../../components/host/group.sh";
import pruneLook from "../../components/host/pruneLook.sh";
import takeOver from "../../components/host/takeOver.sh";

// A Docker that fails to list what there is must never read as "there is nothing".
let folder: string;

beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-silent-"));
});

afterEach(() => {
    rmSync(folder, { recursive: true });
});

/**
 * Runs a script beside a `docker` whose first calls of `ps`, as many as `failing`, fail as a daemon does that has lost
 * an image; then one container runs. Everything it was asked is in `calls`.
 */
function beside(failing: number, script: string, ...args: readonly string[]) {
    const stub = `#!/bin/sh
echo "$*" >>${folder}/calls
case $1 in
ps)
    echo . >>${folder}/listed
    [ "$(wc -l <${folder}/listed)" -gt ${String(failing)} ] || { echo "Error response from daemon: no content" >&2; exit 1; }
    case $* in *'{{json .ID}}'*) echo '{"id":"one"}' ;; *) echo one ;; esac
    ;;
info) echo '{"version":"28.2.2","root":"/"}' ;;
inspect) case $* in *Mounts*) echo ${folder}/cache ;; *rank*) echo '{"id":"one"}' ;; *) echo one ;; esac ;;
images) ;;
*) echo ok ;;
esac
`;
    mkdirSync(path.join(folder, "cache"), { recursive: true });
    writeFileSync(path.join(folder, "docker"), stub, { mode: 0o755 });
    rmSync(path.join(folder, "listed"), { force: true });
    const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", ...args], {
        env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, HOME: folder },
        encoding: "utf8",
    });
    return { status, stdout, stderr };
}

const calls = () => readFileSync(path.join(folder, "calls"), "utf8");
const record = () => path.join(folder, ".local/state/spark-vllm/id.json");

test("the facts: once is no matter, twice is told in Docker's own words", () => {
    const facts = [json, system, docker, "dockers"].join("\n");
    const told = (failing: number) =>
        JSON.parse(beside(failing, facts).stdout) as Record<string, unknown>;
    expect(told(0)).toMatchObject({ containers: [{ id: "one" }] });
    expect(told(1)).toMatchObject({ containers: [{ id: "one" }] });
    const silent = told(9);
    expect(silent).toMatchObject({
        info: { version: "28.2.2" },
        error: "Error response from daemon: no content",
    });
    expect(silent).not.toHaveProperty("containers");
});

test.each([["stop", "30"], ["mark", "{}", "30"], ["start"], ["sweep"]])(
    "a group's %s fails",
    (verb, ...args) => {
        const failed = beside(9, group, verb, "id", ...args);
        expect(failed.status).not.toBe(0);
        expect(failed.stderr).toContain("no content");
        // No launch begins where nobody knows what runs.
        expect(existsSync(record())).toBe(false);
        expect(beside(0, group, verb, "id", ...args).status).toBe(0);
        expect(calls()).toMatch(/^(stop|kill|start|rm) .*one$/m);
    },
);

test("a group is looked at once more, then not known", () => {
    expect(JSON.parse(beside(1, group, "observe", "id").stdout)).toMatchObject({
        containers: [{ id: "one" }],
    });
    expect(beside(9, group, "observe", "id").status).not.toBe(0);
});

test("a rank that does not stop is told", () => {
    const stuck = group.replaceAll("docker stop", "false");
    expect(beside(0, stuck, "stop", "id", "30").status).not.toBe(0);
});

test("another group is not taken for absent", () => {
    expect(beside(9, takeOver, "id", "30", "name").status).not.toBe(0);
    expect(beside(0, takeOver, "id", "30", "name").status).toBe(0);
});

test("lock files of a cache stay while nobody knows whether it is in use, and where it is", () => {
    const locks = (failing: number) =>
        beside(failing, asRoot, "locks", "image", path.join(folder, "cache"));
    expect(locks(9).status).not.toBe(0);
    expect(locks(1).status).toBe(0);
    expect(calls()).not.toMatch(/^run /m);
});

test("prune does not take a container for absent", () => {
    expect(beside(1, pruneLook, "look").stdout).toMatch(/^container\t/);
    expect(beside(9, pruneLook, "look").status).not.toBe(0);
});
