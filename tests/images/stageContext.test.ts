import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { stageContext } from "../../components/image";

const digest = "d".repeat(64);
let root: string;
const at = (...parts: readonly string[]) => path.join(root, ...parts);

/** A checkout with this umask. */
function checkOut(umask: number): void {
    const before = process.umask(umask);
    const context = at("docker-images/engine");
    fs.mkdirSync(path.join(context, "plugin/deep"), { recursive: true });
    fs.writeFileSync(path.join(context, "Dockerfile"), "FROM scratch\n");
    fs.writeFileSync(path.join(context, ".dockerignore"), "Dockerfile\nnotes\n");
    fs.writeFileSync(path.join(context, "notes"), "not sent");
    fs.writeFileSync(path.join(context, "plugin/deep/run"), "run", { mode: 0o777 });
    fs.symlinkSync("deep/run", path.join(context, "plugin/link"));
    process.umask(before);
}

/** Every path with its mode, and what is in it. */
function tree(folder: string): readonly string[] {
    const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
    return names.map((name) => {
        const full = path.join(folder, name);
        const stat = fs.lstatSync(full);
        if (stat.isSymbolicLink()) return `${name} -> ${fs.readlinkSync(full)}`;
        return `${name} ${(stat.mode & 0o777).toString(8)}`;
    });
}

const expected = [
    ".dockerignore 644",
    "Dockerfile 644",
    "plugin 755",
    "plugin/deep 755",
    "plugin/deep/run 755",
    "plugin/link -> deep/run",
];

beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "spark-stage-"));
});
afterEach(() => {
    fs.rmSync(root, { recursive: true });
});

const source = { context: "docker-images/engine", digest };

test.each([0o002, 0o022, 0o077])("modes are those that git knows, whatever the umask", (umask) => {
    checkOut(umask);
    const before = process.umask(umask);
    expect(stageContext(root, source)).toBe(`.state/contexts/${digest}`);
    process.umask(before);
    expect(tree(at(".state/contexts", digest))).toEqual(expected);
    expect(fs.readFileSync(at(".state/contexts", digest, "plugin/deep/run"), "utf8")).toBe("run");
});

test("what is there is used again; what nobody used for a day goes", () => {
    checkOut(0o022);
    stageContext(root, source);
    fs.rmSync(at("docker-images"), { recursive: true });
    stageContext(root, source);
    const old = new Date(Date.now() - 25 * 3_600_000);
    fs.utimesSync(at(".state/contexts", digest), old, old);
    checkOut(0o022);
    stageContext(root, { ...source, digest: "e".repeat(64) });
    expect(fs.readdirSync(at(".state/contexts"))).toEqual(["e".repeat(64)]);
});

test("a name that another run takes away while this one looks is no obstacle", () => {
    checkOut(0o022);
    fs.mkdirSync(at(".state/contexts"), { recursive: true });
    // Listed, and not there: as between the two looks.
    fs.symlinkSync("taken", at(".state/contexts/gone"));
    expect(stageContext(root, source)).toBe(`.state/contexts/${digest}`);
});

test("a project folder that cannot be written to is told", () => {
    checkOut(0o022);
    // A file where the folder would be: it stops root, too.
    fs.writeFileSync(at(".state"), "");
    const made = () => {
        try {
            return stageContext(root, source);
        } catch (error) {
            return error;
        }
    };
    expect(made()).toMatchObject({
        name: "RecipeError",
        issues: [
            {
                code: "disk",
                file: at(".state/contexts"),
                problem: "this machine cannot write there: a part of its path is a file",
            },
        ],
    });
});
