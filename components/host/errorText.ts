/** What went wrong, in the words of whatever was thrown. */
export function errorText(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
