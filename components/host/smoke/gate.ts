import type { GateResult, SmokeGate, StackPlan } from "../../plan";
import type { GroupNode } from "../group";
import type { Api } from "../headApi";

/** What every gate needs. */
export interface GateContext {
    readonly api: Api;
    /** The served name. */
    readonly model: string;
    /** For one answer. */
    readonly timeoutSeconds: number;
    /** For an answer to a prompt near the model's limit. */
    readonly longTimeoutSeconds: number;
    /** Whether the chat endpoints work: the text gate finds out. */
    readonly chat: boolean;
    /** Tokens that the model takes, prompt and answer together; Infinity until, or unless, the API tells. */
    readonly modelLength: number;
    /** All gates of the plan: the soak mixes what the others ask. */
    readonly gates: readonly SmokeGate[];
    readonly nodes: readonly GroupNode[];
    readonly signal?: AbortSignal;
}

/** What a gate found, without its name and time, which its caller adds. */
export type Passed = Pick<GateResult, "tokens" | "note" | "lowestMemory">;

/** What smoke reads of a plan. */
export type SmokePlan = Pick<StackPlan, "api" | "model" | "smoke"> & {
    readonly nodes: readonly GroupNode[];
    readonly launch: Pick<StackPlan["launch"], "timeoutSeconds" | "completionTimeoutSeconds">;
};

/** A gate that does not hold. */
export class GateFailure extends Error {
    /**
     * @param problem what was seen.
     * @param expected what should have been seen.
     */
    constructor(
        readonly problem: string,
        readonly expected: string,
    ) {
        super(problem);
    }
}
