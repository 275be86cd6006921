import type { Instruction } from "./types";

/** An image that a Dockerfile takes from outside. */
export interface BaseImage {
    /** As Docker will see it, arguments filled in. */
    readonly reference: string;
    /** 1-based line to show: of the argument that names it, else of the instruction. */
    readonly line: number;
    /** Arguments that it is made of, e.g. `["BASE"]`. */
    readonly variables: readonly string[];
    /** The argument that gives the whole name, if one does. */
    readonly whole?: string;
    /** Reason in a comment `# unpinned base: …` directly above, if any. */
    readonly reason?: string;
}

interface Argument {
    readonly value: string;
    readonly instruction: Instruction;
}

const variable = /\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))/g;
const reasonComment = /^unpinned base:\s*(\S.*)$/i;

/** Whether a reference names its content and not only a place: it ends in a sha256 digest. */
export function isPinned(reference: string): boolean {
    return /@sha256:[0-9a-f]{64}$/.test(reference);
}

/** Default values of the arguments before the first FROM: the only ones that a FROM can use. */
export function globalArguments(
    instructions: readonly Instruction[],
): ReadonlyMap<string, Argument> {
    const found = new Map<string, Argument>();
    for (const instruction of instructions) {
        if (instruction.keyword === "FROM") break;
        if (instruction.keyword !== "ARG") continue;
        for (const [, name = "", value = ""] of instruction.text.matchAll(
            /(\w+)(?:=("[^"]*"|'[^']*'|\S*))?/g,
        )) {
            const plain = value.replace(/^(["'])(.*)\1$/, "$2");
            found.set(name, { value: expand(plain, found, {}), instruction });
        }
    }
    return found;
}

/** Every image from outside: in FROM, in `COPY --from=` and in `RUN --mount=…,from=`; stages are not. */
export function baseImages(
    instructions: readonly Instruction[],
    args: Readonly<Record<string, string>>,
): readonly BaseImage[] {
    const defaults = globalArguments(instructions);
    const stages = new Set(["scratch"]);
    const found: BaseImage[] = [];
    for (const instruction of instructions) {
        for (const raw of imagesNamedIn(instruction)) {
            const reference = expand(raw, defaults, args);
            if (!stages.has(reference.toLowerCase()) && !/^\d+$/.test(reference)) {
                found.push(baseImage(instruction, raw, reference, defaults));
            }
        }
        const stage =
            instruction.keyword === "FROM" ? /\sAS\s+(\S+)/i.exec(instruction.text) : null;
        if (stage?.[1] !== undefined) stages.add(stage[1].toLowerCase());
    }
    return found;
}

function imagesNamedIn({ keyword, text }: Instruction): readonly string[] {
    const flags = /^(?:--\S+\s+)*/.exec(text)?.[0] ?? "";
    if (keyword === "FROM") return text.slice(flags.length).split(/\s/, 1);
    if (keyword !== "COPY" && keyword !== "RUN") return [];
    return [...flags.matchAll(/(?:--|[,=])from=([^\s,]+)/g)].map(([, image = ""]) => image);
}

function baseImage(
    instruction: Instruction,
    raw: string,
    reference: string,
    defaults: ReadonlyMap<string, Argument>,
): BaseImage {
    const variables = [...raw.matchAll(variable)].map(([, braced, , bare]) => braced ?? bare ?? "");
    const sources = variables.flatMap((name) => defaults.get(name)?.instruction ?? []);
    const reasons = [...sources, instruction].flatMap(({ comments }) =>
        comments.flatMap((comment) => reasonComment.exec(comment)?.[1] ?? []),
    );
    const line = sources[0]?.line ?? instruction.line;
    const [whole] = variables.filter((name) => [`$${name}`, `\${${name}}`].includes(raw));
    return {
        reference,
        line,
        variables,
        ...(whole === undefined || !defaults.has(whole) ? {} : { whole }),
        ...(reasons[0] === undefined ? {} : { reason: reasons[0] }),
    };
}

function expand(
    text: string,
    defaults: ReadonlyMap<string, Argument>,
    args: Readonly<Record<string, string>>,
): string {
    return text.replace(variable, (_, braced?: string, fallback?: string, bare?: string) => {
        const name = braced ?? bare ?? "";
        const value = defaults.has(name) ? (args[name] ?? defaults.get(name)?.value) : undefined;
        return value === undefined || value === "" ? (fallback ?? "") : value;
    });
}
