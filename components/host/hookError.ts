import { RecipeError, renderIssues } from "../issue";

/** The engine shows only the message of an error that a hook throws: what the user can put right is all in it. */
export async function withMessage<T>(work: Promise<T>): Promise<T> {
    try {
        return await work;
    } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        throw new Error(renderIssues(error.issues, error.closing), { cause: error });
    }
}
