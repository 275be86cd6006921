import { flagValue, hasFlag, type PlanInput } from "./planInput";
import type { SmokeGate } from "./smokeTypes";

const isZero = (limit: unknown): boolean =>
    limit === 0 ||
    (typeof limit === "object" && limit !== null && (limit as { count?: unknown }).count === 0);

/** Whether the arguments keep images out: a limit of none, or the language model alone. */
function refusesImages(args: readonly string[]): boolean {
    if (hasFlag(args, ["--language-model-only"])) return true;
    if (flagValue(args, ["--limit-mm-per-prompt.image"]) === "0") return true;
    try {
        const limits = JSON.parse(flagValue(args, ["--limit-mm-per-prompt"]) ?? "{}") as unknown;
        return isZero((limits as { image?: unknown } | null)?.image);
    } catch {
        return false; // the engine's parser says what is wrong with it
    }
}

function toolGate({ args }: PlanInput["recipe"]): readonly SmokeGate[] {
    if (flagValue(args, ["--tool-call-parser"]) === undefined) return [];
    const auto = hasFlag(args, ["--enable-auto-tool-choice"]);
    return [{ kind: "tool-call", choice: auto ? "auto" : "named" }];
}

/** What a group must be able to do once it serves: from the recipe, the image's smoke.toml and the stack. */
export function planSmoke({ recipe, cluster, image }: PlanInput): readonly SmokeGate[] {
    const vision = image?.smoke?.vision;
    const { longPromptFraction: fraction, soakMinutes: minutes } = cluster.launch;
    return [
        { kind: "text" },
        { kind: "streaming" },
        ...toolGate(recipe),
        ...(vision === undefined || refusesImages(recipe.args)
            ? []
            : [{ kind: "image" as const, ...vision }]),
        ...(fraction > 0 ? [{ kind: "long-prompt" as const, fraction }] : []),
        ...(minutes > 0 ? [{ kind: "soak" as const, minutes }] : []),
    ];
}
