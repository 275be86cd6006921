import { RecipeError, type Issue } from "../issue";
import type { Finding } from "./finding";
import { locate } from "./locate";
import { findPlaces } from "./toml/places";
import { normalise, readToml } from "./toml/readToml";

/** A TOML file of the project's own that is no recipe. */
export interface TomlFile {
    /** Its tables; every number is a plain number. */
    readonly table: unknown;
    /** Gives findings their file, line, column and source line. */
    readonly locate: (findings: readonly Finding[]) => readonly Issue[];
}

function plain(value: unknown): unknown {
    if (typeof value === "bigint") return Number(value);
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Reads a file's text. Throws RecipeError (toml-syntax) with line and column. */
export function readTomlFile(text: string, file: string): TomlFile {
    const clean = normalise(text);
    const reading = readToml(clean, file);
    if ("issues" in reading) throw new RecipeError(reading.issues);
    return {
        table: plain(reading.table),
        locate: (findings) =>
            locate(findings, { file, lines: clean.split("\n"), places: findPlaces(clean) }),
    };
}
