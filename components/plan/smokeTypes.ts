/** Something that a group must be able to do once it serves. */
export type SmokeGate =
    | { readonly kind: "text" }
    | { readonly kind: "streaming" }
    /** auto: the model decides to call; named: the request says which tool. */
    | { readonly kind: "tool-call"; readonly choice: "auto" | "named" }
    | {
          readonly kind: "image";
          /** Text that stands for an image in the prompt. */
          readonly placeholder: string;
          readonly maxTokensPerImage: number;
      }
    /** A prompt of this part of the length that the model takes. */
    | { readonly kind: "long-prompt"; readonly fraction: number }
    | { readonly kind: "soak"; readonly minutes: number };

/** What one gate found. */
export interface GateResult {
    readonly gate: SmokeGate["kind"];
    readonly seconds: number;
    /** Made by the engine; of a long prompt those read, too. */
    readonly tokens: number;
    readonly tokensPerSecond: number;
    readonly note?: string;
    /** Of each node while a soak ran; null: the node did not tell. */
    readonly lowestMemory?: readonly { readonly node: string; readonly gib: number | null }[];
}

/** Printed by the smoke step as its last line and kept in the state. */
export interface SmokeResult {
    readonly gates: readonly GateResult[];
}
