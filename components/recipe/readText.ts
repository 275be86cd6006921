import type { Issue } from "../issue";
import type { Draft } from "./draft";
import type { Finding } from "./finding";
import { locate } from "./locate";
import { readDraft } from "./readDraft";
import { rules } from "./rules";
import { checkSchema } from "./schema/checkSchema";
import { findPlaces, type Places } from "./toml/places";
import { plainNumbers } from "./toml/plainNumbers";
import { readToml, type Table } from "./toml/readToml";

/** What was read of a recipe, and everything that was found wrong or doubtful in it. */
export interface Reading {
    readonly draft?: Draft;
    readonly issues: readonly Issue[];
}

/** Nothing more is said of a place that holds a secret: every other message would show it. */
function withoutHidden(found: readonly Finding[]): readonly Finding[] {
    const hidden = new Set(
        found.flatMap(({ hides = [] }) => hides.map((at) => JSON.stringify(at))),
    );
    return found.filter(({ at, hides }) => hides !== undefined || !hidden.has(JSON.stringify(at)));
}

/** The places of keys and values, looked for at the first question: a recipe without issues never asks. */
function lazyPlaces(text: string): Places {
    let places: Places | undefined;
    const get = () => (places ??= findPlaces(text));
    return { key: (path) => get().key(path), value: (path) => get().value(path) };
}

/** Reads a normalised text; never throws for what a person wrote. */
export function readRecipeText(text: string, file: string): Reading {
    const reading = readToml(text, file);
    if ("issues" in reading) return { issues: reading.issues };
    const table = plainNumbers(reading.table) as Table;
    const places = lazyPlaces(text);
    const draft = readDraft(table);
    const found = [
        ...checkSchema(table, (path) => places.value(path)?.text),
        ...rules.flatMap((rule) => rule(draft)),
    ];
    return {
        draft,
        issues: locate(withoutHidden(found), { file, lines: text.split("\n"), places }),
    };
}
