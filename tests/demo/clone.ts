import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

const root = path.dirname(path.dirname(__dirname));

export interface Ended {
    /** The name of a signal where that ended it. */
    readonly code: number | NodeJS.Signals | null;
    readonly said: string;
}

/** A fresh clone of this checkout, as of its last commit, under a home directory of its own. */
export class Clone {
    readonly #base = mkdtempSync(path.join(tmpdir(), "spark-demo-"));
    readonly folder = path.join(this.#base, "spark-vllm");
    /** No other clone's: what a killed run left on this machine is none of ours. */
    readonly lab = `fresh${randomBytes(3).toString("hex")}`;
    readonly #home = path.join(this.#base, "home");

    constructor() {
        mkdirSync(this.#home);
        execFileSync("git", ["clone", "--quiet", root, this.folder]);
    }

    /** Where the archives are when nobody says otherwise. */
    static readonly archives =
        process.env["SPARK_TOOLCHAIN"] ?? path.join(root, "../shared/toolchain");

    #environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
        const cache = process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache");
        const { PATH, LANG } = process.env;
        return {
            PATH,
            LANG,
            CI: "true",
            HOME: this.#home,
            LAB: this.lab,
            SPARK_TOOLCHAIN: Clone.archives,
            // What costs minutes and says nothing about a fresh home: the nodes' images, npm's packages.
            XDG_CACHE_HOME: cache,
            npm_config_cache: path.join(homedir(), ".npm"),
            ...env,
        };
    }

    /** Starts `npm run demo`; without a terminal. */
    start(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
        const child = spawn("npm", ["run", "--silent", "demo", "--", ...args], {
            cwd: this.folder,
            env: this.#environment(env),
            stdio: ["ignore", "pipe", "pipe"],
            // As a terminal does it: Ctrl-C reaches the whole group.
            detached: true,
        });
        return new Running(child);
    }

    demo(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
        return this.start(args, env).ended;
    }

    /** A PATH with some commands replaced or (undefined) missing. */
    path(commands: Readonly<Record<string, string | undefined>>): string {
        const bin = mkdtempSync(path.join(this.#base, "bin-"));
        for (const folder of (process.env["PATH"] ?? "")
            .split(":")
            .filter((dir) => existsSync(dir))) {
            for (const name of readdirSync(folder)) {
                const link = path.join(bin, name);
                if (!(name in commands) && !existsSync(link))
                    symlinkOnce(path.join(folder, name), link);
            }
        }
        for (const [name, text] of Object.entries(commands)) {
            if (text === undefined) continue;
            writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, {
                mode: 0o755,
            });
        }
        return bin;
    }

    remove(): void {
        rmSync(this.#base, { recursive: true, force: true });
    }
}

function symlinkOnce(target: string, link: string): void {
    try {
        symlinkSync(target, link);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
}

/** A demo that runs. */
export class Running {
    readonly ended: Promise<Ended>;
    #said = "";
    readonly #waiting = new Set<() => void>();

    constructor(readonly child: ChildProcess) {
        const take = (chunk: Buffer) => {
            this.#said += chunk.toString();
            this.#waiting.forEach((look) => {
                look();
            });
        };
        child.stdout?.on("data", take);
        child.stderr?.on("data", take);
        this.ended = new Promise((resolve) => {
            child.on("close", (code, signal) => {
                resolve({ code: code ?? signal, said: this.#said });
            });
        });
    }

    /** Until it has said this; throws when it ends before. */
    async says(text: string): Promise<void> {
        const said = new Promise<boolean>((resolve) => {
            const look = () => {
                if (this.#said.includes(text)) resolve(true);
            };
            this.#waiting.add(look);
            look();
        });
        if (await Promise.race([said, this.ended.then(() => false)])) return;
        throw new Error(`it ended without saying "${text}":\n${this.#said}`);
    }

    /** A signal to it and all that it runs in its own group, as from a terminal. */
    signal(name: NodeJS.Signals): void {
        process.kill(-(this.child.pid ?? 0), name);
    }
}

/** Everything on this machine that nodes could leave behind, without what belongs to others' labs. */
export function traces(clone: Clone): readonly string[] {
    const text = execFileSync(path.join(root, "tests/lab/trace"), { encoding: "utf8" });
    const own = text
        .split("\n")
        .filter((line) => line.includes(clone.lab) || line.includes(clone.folder));
    // With other labs on the same Docker, whose nodes come and go, only names tell.
    const alone = !existsSync("/run/spark-vllm-lab-0/labs") && !existsSync(path.join(root, ".lab"));
    return alone ? text.split("\n") : own;
}

/** What was not there before; the kernel takes some seconds to let go of all. */
export async function leftBehind(
    clone: Clone,
    before: readonly string[],
): Promise<readonly string[]> {
    for (let tries = 0; ; tries += 1) {
        const left = traces(clone).filter((line) => !before.includes(line));
        if (left.length === 0 || tries === 20) return left;
        await new Promise((resolve) => setTimeout(resolve, 500));
    }
}
