import data from "../flags/vllm-0.32.0.json";

/** `switch` takes no value; `json` one that is JSON; `list` one or more words; `help` ends the engine. */
export type FlagKind =
    "value" | "list" | "json" | "json-or-string" | "switch" | "switch-no" | "help";

/** A type that the engine's parser checks; with `?` also "" and None. */
export type ValueType = "int" | "float" | "size" | "size-or-auto" | "json" | "str" | "lower";

/** A flag of `vllm serve`. */
export interface Flag {
    /** Its long name, e.g. `--kv-cache-memory-bytes`. */
    readonly name: string;
    readonly kind: FlagKind;
    readonly type?: ValueType;
    /** Whether "" and None are values too. */
    readonly nullable: boolean;
    readonly choices?: readonly string[];
    /** The value may be missing. */
    readonly optionalValue: boolean;
}

interface Row {
    readonly n: string;
    readonly a?: readonly string[];
    readonly k: string;
    readonly t?: string;
    readonly c?: readonly string[];
    readonly o?: number;
}

/** The engine's version whose flags and variables are known here. */
export const engineVersion: string = data.version;

/** Attention backends of that version. */
export const attentionBackends: readonly string[] = data.attentionBackends;

/** Variables named VLLM_… of that version. */
export const engineVariables: ReadonlySet<string> = new Set(data.variables);

/** One spelling of a flag; `--no-…` switches off. */
export interface Spelling {
    readonly flag: Flag;
    readonly off: boolean;
}

function toFlag({ n, k, t, c, o }: Row): Flag {
    return {
        name: n,
        kind: k as FlagKind,
        ...(t === undefined ? {} : { type: t.replace("?", "") as ValueType }),
        nullable: t?.endsWith("?") ?? false,
        ...(c === undefined ? {} : { choices: c }),
        optionalValue: o === 1,
    };
}

function spellingsOf(row: Row): readonly (readonly [string, Spelling])[] {
    const flag = toFlag(row);
    const names = [row.n, ...(row.a ?? [])];
    const off = names.filter((name) => flag.kind === "switch-no" && name.startsWith("--"));
    return [
        ...names.map((name) => [name, { flag, off: false }] as const),
        ...off.map((name) => [name.replace("--", "--no-"), { flag, off: true }] as const),
    ];
}

/** Every spelling that the engine's parser knows by itself. */
export const spellings: ReadonlyMap<string, Spelling> = new Map(
    (data.flags as readonly Row[]).flatMap(spellingsOf),
);
