import { Command, CommanderError } from "commander";

type Register = (program: Command) => void;

/**
 * Every command in a file of its own, which is loaded only when it is asked for, so that one command's libraries do not
 * slow down another.
 */
const commands: Readonly<Record<string, () => Promise<Register>>> = {
    check: async () => (await import("./check")).registerCheck,
    plan: async () => (await import("./plan")).registerPlan,
    discover: async () => (await import("./discover")).registerDiscover,
    smoke: async () => (await import("./smoke")).registerSmoke,
    fetch: async () => (await import("./fetch")).registerFetch,
    prune: async () => (await import("./prune")).registerPrune,
    doctor: async () => (await import("./doctor")).registerDoctor,
};

/** Runs the command line. Exit codes: 0 well, 1 issues, 2 wrong usage. */
async function main(argv: readonly string[]): Promise<void> {
    const program = new Command("spark")
        .description("Recipes, plans and running groups of Spark machines")
        .exitOverride()
        .showSuggestionAfterError()
        .showHelpAfterError("`spark --help` lists the commands.");
    const [, , name = ""] = argv;
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
    for (const each of load === undefined ? Object.values(commands) : [load]) {
        (await each())(program);
    }
    try {
        await program.parseAsync([...argv]);
    } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        // Commander has said what is wrong already; asked-for help is no mistake.
        process.exitCode = error.exitCode === 0 ? 0 : 2;
    }
}

void main(process.argv);
