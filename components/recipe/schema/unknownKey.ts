import { findFlag } from "../args/findFlag";
import type { Finding, Path } from "../finding";
import { pathText } from "../finding";
import { nearest } from "../nearest";
import { own } from "../own";
import { isSecretName } from "../secrets";
import { mountKeys, topKeys } from "./schema";

/** Words of other launchers and of everyday speech for keys of ours. */
const synonyms: Readonly<Record<string, string>> = {
    container: "docker_image",
    environment: "env",
    envs: "env",
    image: "docker_image",
    hosts: "required_nodes",
    mount: "extra_mounts",
    mounts: "extra_mounts",
    nodes: "required_nodes",
    nnodes: "required_nodes",
    num_nodes: "required_nodes",
    pp: "pipeline_parallel_size",
    revision: "model_revision",
    title: "name",
    tp: "tensor_parallel_size",
    volumes: "extra_mounts",
};

const mountSynonyms: Readonly<Record<string, string>> = {
    destination: "container",
    dst: "container",
    readonly: "read_only",
    ro: "read_only",
    source: "host",
    src: "host",
    target: "container",
};

const plain = (key: string) => key.toLowerCase().replaceAll(/[-\s]/g, "_");

/** The known key that an unknown one was most likely meant to be. */
export function meantKey(key: string, inMount: boolean): string | undefined {
    const known = inMount ? mountKeys : topKeys;
    const name = plain(key);
    if (known.includes(name)) return name;
    const synonym = own(inMount ? mountSynonyms : synonyms, name);
    const longer = known.filter((other) => other.startsWith(name) && name.length > 2);
    return synonym ?? nearest(name, known) ?? (longer.length === 1 ? longer[0] : undefined);
}

const isVariable = (key: string) => /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(key);

/** Where a key that is known elsewhere belongs. */
function rightPlace(at: Path): Pick<Finding, "expected" | "fix"> | undefined {
    const key = String(at.at(-1));
    if (at.length > 1 && (topKeys as readonly string[]).includes(key) && !mountHas(at, key)) {
        return {
            expected:
                "it at the top of the recipe: what stands below a [header] belongs to that table",
            fix: `move ${key} above the first [header]`,
        };
    }
    if (isVariable(key) && at[0] !== "env" && !isSecretName(key)) {
        return {
            expected: "variables in the table of the environment",
            fix: `move ${key} below [env]`,
        };
    }
    if (at.length === 1 && mountKeys.includes(key) && key !== "container") {
        return { expected: "it in a mount", fix: `move ${key} below an [[extra_mounts]]` };
    }
    return undefined;
}

const mountHas = (at: Path, key: string) => at[0] === "extra_mounts" && mountKeys.includes(key);

/** Other launchers have keys for the engine's flags; here they are arguments. */
function flagFix(key: string): string | undefined {
    const flag = `--${plain(key).replaceAll("_", "-")}`;
    const found = findFlag(flag);
    return found.kind === "flag" && found.flag.name === flag
        ? `it is a flag of the engine: write it into args as "${flag}"`
        : undefined;
}

function fixOf(at: Path): string | undefined {
    const key = String(at.at(-1));
    if (isSecretName(key)) {
        return "a secret belongs into the stack: pulumi config set --secret apiKey, or huggingFaceToken";
    }
    const inMount = at[0] === "extra_mounts";
    const meant = meantKey(key, inMount);
    if (meant !== undefined) return `did you mean ${meant}?`;
    return inMount ? undefined : flagFix(key);
}

/** A key that the schema does not have: in the wrong table, misspelt, or another program's. */
export function unknownKey(at: Path, value: unknown): Finding {
    const key = String(at.at(-1));
    const place = rightPlace(at);
    const owner = at.length === 1 ? "" : ` in ${pathText(at.slice(0, -1))}`;
    if (place !== undefined) {
        const problem = `${key} is no key ${at.length === 1 ? "at the top of a recipe" : `of ${pathText(at.slice(0, -1))}`}`;
        return { code: "misplaced-key", at, target: "key", problem, ...place };
    }
    const known = at[0] === "extra_mounts" && at.length > 1 ? mountKeys : topKeys;
    const holdsKeys = at.length === 1 && topKeys.some((top) => top in Object(value));
    const fix = holdsKeys ? "remove the header: the recipe's keys stand at its top" : fixOf(at);
    return {
        code: "unknown-key",
        at,
        target: "key",
        problem: `unknown key${owner}`,
        expected: fix === undefined ? `one of ${known.join(", ")}` : "one of the recipe's keys",
        ...(fix === undefined ? {} : { fix }),
        ...(isSecretName(key) ? { hides: [at] } : {}),
    };
}
