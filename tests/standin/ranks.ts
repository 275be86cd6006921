import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import { makeHub, model } from "./hub";
import { freePort } from "./ports";

export const image = path.resolve(__dirname, "../../docker-images/stand-in");
const program = path.join(image, "bin", "vllm");

/** Room for a loaded machine: every wait of these tests ends long before. */
export const patienceMs = 40_000;

/** A rank as a plain process on loopback, with everything it printed. */
export class Rank {
    output = "";
    /** Without the progress bars, which are on standard error: between the two there is no order. */
    standardOutput = "";
    private ended: number | undefined;

    constructor(private readonly process: ChildProcess) {
        const take = (text: Buffer): void => {
            this.output += text.toString();
        };
        process.stdout?.on("data", (text: Buffer) => {
            take(text);
            this.standardOutput += text.toString();
        });
        process.stderr?.on("data", take);
        process.on("close", (code, signal) => {
            this.ended = code ?? (signal === "SIGKILL" ? 137 : -1);
        });
    }

    get running(): boolean {
        return this.ended === undefined;
    }

    async until(text: string): Promise<void> {
        await eventually(
            () => this.output.includes(text),
            () => `"${text}" in:\n${this.output}`,
        );
    }

    async exit(): Promise<number> {
        await eventually(
            () => !this.running,
            () => `the end of:\n${this.output}`,
        );
        return this.ended ?? -1;
    }

    signal(name: NodeJS.Signals): void {
        this.process.kill(name);
    }

    /** The last line of standard output: progress bars go to standard error, which may arrive later. */
    lastLine(): string {
        return this.standardOutput.trimEnd().split("\n").at(-1) ?? "";
    }
}

interface Request {
    readonly method?: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
}

export interface RankOptions {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly nodes?: number;
}

/** Ports, a hub and fault orders of one test, and the ranks it starts; `end` stops and removes all. */
export class Bench {
    readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "spark-standin-"));
    readonly modelFolder = makeHub(this.folder);
    readonly faultFile = path.join(this.folder, "fault");
    private readonly ranks: Rank[] = [];

    private constructor(
        readonly port: number,
        readonly masterPort: number,
    ) {}

    static async make(): Promise<Bench> {
        return new Bench(await freePort(), await freePort());
    }

    /** One rank of a group; rank 0 is the head. */
    start(rank: number, options: RankOptions = {}): Rank {
        const nodes = String(options.nodes ?? 2);
        const place =
            rank === 0 ? ["--host", "127.0.0.1", "--port", String(this.port)] : ["--headless"];
        const group = [
            `--tensor-parallel-size=${nodes}`,
            "--nnodes",
            nodes,
            "--node-rank",
            String(rank),
        ];
        const meet = ["--master-addr", "127.0.0.1", "--master-port", String(this.masterPort)];
        const args = ["serve", model, "--served-model-name", "lab", ...group, ...meet, ...place];
        const env = {
            PATH: process.env["PATH"],
            PYTHONPATH: image,
            // Compiled once for all ranks, and not into the image's build context.
            PYTHONPYCACHEPREFIX: path.join(os.tmpdir(), "spark-standin-pycache"),
            HF_HOME: this.folder,
            HF_HUB_OFFLINE: "1",
            VLLM_HOST_IP: `127.0.0.${String(rank + 1)}`,
            NCCL_SOCKET_IFNAME: "lo",
            GLOO_SOCKET_IFNAME: "lo",
            STANDIN_BOOT_SECONDS: "0.3",
            STANDIN_LAB_DIR: this.folder,
            STANDIN_STATE_DIR: this.folder,
            ...options.env,
        };
        const started = new Rank(spawn(program, [...args, ...(options.args ?? [])], { env }));
        this.ranks.push(started);
        return started;
    }

    /** A group that serves. */
    async serving(nodes = 2, options: RankOptions = {}): Promise<readonly [Rank, ...Rank[]]> {
        const head = this.start(0, { ...options, nodes });
        const workers = Array.from({ length: nodes - 1 }, (_, index) =>
            this.start(index + 1, { ...options, nodes }),
        );
        await head.until("Application startup complete.");
        return [head, ...workers];
    }

    order(...orders: readonly string[]): void {
        fs.writeFileSync(this.faultFile, orders.map((order) => `${order}\n`).join(""));
    }

    get(where: string, headers: Record<string, string> = {}): Promise<Response> {
        return this.fetch(where, { headers });
    }

    post(where: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
        return this.fetch(where, { method: "POST", body: JSON.stringify(body), headers });
    }

    end(): void {
        for (const rank of this.ranks) {
            if (rank.running) rank.signal("SIGKILL");
        }
        fs.rmSync(this.folder, { recursive: true, maxRetries: 5 });
    }

    private fetch(where: string, request: Request): Promise<Response> {
        // One connection a request: a pooled one to a head that ended would fail the next test.
        const headers = { ...request.headers, connection: "close" };
        const signal = AbortSignal.timeout(patienceMs);
        return fetch(`http://127.0.0.1:${String(this.port)}${where}`, {
            ...request,
            headers,
            signal,
        });
    }
}

/** Runs `test` with a bench of its own, so that tests can run beside each other. */
export async function withBench(test: (bench: Bench) => Promise<void>): Promise<void> {
    const bench = await Bench.make();
    try {
        await test(bench);
    } finally {
        bench.end();
    }
}

export function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
}

async function eventually(done: () => boolean, missing: () => string): Promise<void> {
    const end = Date.now() + patienceMs;
    while (!done()) {
        if (Date.now() > end) throw new Error(`never saw ${missing()}`);
        await sleep(20);
    }
}
