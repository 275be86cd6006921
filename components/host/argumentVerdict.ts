/** What the image's own parser says of one rank's arguments. */
export type Verdict =
    | { readonly kind: "accepted" }
    /** The engine's own words. */
    | { readonly kind: "refused"; readonly words: string }
    /** The image could not be asked; why. */
    | { readonly kind: "skipped"; readonly why: string }
    | { readonly kind: "no-image" }
    /** Platform that the image was built for. */
    | { readonly kind: "platform"; readonly built: string }
    /** Docker's words. */
    | { readonly kind: "docker"; readonly words: string };

const mark = "spark-vllm-verdict ";
/** A list of choices may name hundreds. */
const longestWords = 1200;

/**
 * Reads what argumentCheck.sh came back with.
 *
 * Only the parser's own refusal stops an `up`: an image without this parser, or one that cannot be asked, is
 * told apart and passes with a note.
 */
export function readVerdict(
    result: { readonly code: number; readonly stdout: string; readonly stderr: string },
    timeoutSeconds: number,
): Verdict {
    const line = result.stdout.split("\n").findLast((text) => text.startsWith(mark));
    if (line !== undefined) return fromParser(line.slice(mark.length));
    const words = result.stderr.trim();
    switch (result.code) {
        case 3:
            return { kind: "no-image" };
        case 4:
            return { kind: "platform", built: words };
        case 1:
        case 125:
            return { kind: "docker", words: shorten(words) };
        case 126:
        case 127:
            return { kind: "skipped", why: "the image has no shell or no Python to ask" };
        case 124:
            return { kind: "skipped", why: `no answer within ${String(timeoutSeconds)} s` };
        default: {
            const last = words.split("\n").at(-1) ?? "";
            return { kind: "skipped", why: `it ended with code ${String(result.code)}: ${last}` };
        }
    }
}

function fromParser(json: string): Verdict {
    const { verdict, words } = JSON.parse(json) as { verdict: string; words: string };
    if (verdict === "accepted") return { kind: "accepted" };
    return verdict === "refused"
        ? { kind: "refused", words: shorten(words) }
        : { kind: "skipped", why: shorten(words) };
}

function shorten(words: string): string {
    return words.length <= longestWords ? words : `${words.slice(0, longestWords)}…`;
}
