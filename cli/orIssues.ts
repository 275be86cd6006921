import { RecipeError } from "../components/issue";
import { printIssues } from "./printIssues";

/** Runs a command; the user's mistakes are printed as issues, with exit code 1. Anything else is a bug and goes on. */
export async function orIssues(run: () => Promise<void>, json = false): Promise<void> {
    try {
        await run();
    } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        printIssues(error.issues, json, error.closing);
        process.exitCode = 1;
    }
}
