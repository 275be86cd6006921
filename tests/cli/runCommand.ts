import { Command } from "commander";

/** What a command printed, and the exit code it asked for. */
export interface Run {
    readonly out: string;
    readonly err: string;
    readonly code: number;
}

/** Runs one command of `spark` in this process, in a folder. */
export async function runCommand(
    register: (program: Command) => void,
    folder: string,
    args: readonly string[],
): Promise<Run> {
    const printed = { out: "", err: "" };
    const keep = (key: "out" | "err") => (text: string | Uint8Array) => {
        printed[key] += String(text);
        return true;
    };
    const spies = [
        jest.spyOn(process.stdout, "write").mockImplementation(keep("out")),
        jest.spyOn(process.stderr, "write").mockImplementation(keep("err")),
    ];
    const [before, codeBefore] = [process.cwd(), process.exitCode];
    process.chdir(folder);
    process.exitCode = 0;
    try {
        const program = new Command("spark").exitOverride();
        register(program);
        await program.parseAsync([...args], { from: "user" });
        return { ...printed, code: process.exitCode };
    } finally {
        process.chdir(before);
        process.exitCode = codeBefore;
        for (const spy of spies) spy.mockRestore();
    }
}
