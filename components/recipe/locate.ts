import type { Issue } from "../issue";
import { pathText, type Finding, type LineOf } from "./finding";
import type { Places, Span } from "./toml/places";
import { withoutSecrets } from "./secrets";

/** The place of what a finding names, or of the nearest thing around it that is written. */
function spanOf(places: Places, { at, target, nowhere }: Finding): Span | undefined {
    if (nowhere) return undefined;
    if (target === "key") return places.key(at) ?? places.value(at);
    return at
        .map((_, i) => places.value(at.slice(0, at.length - i)))
        .find((span) => span !== undefined);
}

/** Lines that must not be shown: those of a value that is secret. */
function secretLines(findings: readonly Finding[], places: Places): ReadonlySet<number> {
    return new Set(
        findings
            .flatMap(({ hides = [] }) => hides)
            .flatMap((path) => {
                const span = places.value(path);
                if (span === undefined) return [];
                const count = span.endLine - span.line + 1;
                return Array.from({ length: count }, (_, i) => span.line + i);
            }),
    );
}

const lineOfPlaces =
    (places: Places): LineOf =>
    (path) => {
        const line = (places.value(path) ?? places.key(path))?.line;
        return line === undefined ? "elsewhere" : `line ${String(line)}`;
    };

/** The text around the issues of one recipe. */
export interface Source {
    readonly file: string;
    readonly lines: readonly string[];
    readonly places: Places;
}

/** Gives every finding its file, line, column and source line; in line order. */
export function locate(findings: readonly Finding[], source: Source): readonly Issue[] {
    const { file, lines, places } = source;
    const hidden = secretLines(findings, places);
    const lineOf = lineOfPlaces(places);
    const toIssue = (finding: Finding): Issue => {
        const { code, severity = "error", at, problem, expected, fix } = finding;
        const span = spanOf(places, finding);
        const shown = span !== undefined && !hidden.has(span.line);
        return {
            code,
            severity,
            file,
            ...(span === undefined ? {} : { line: span.line, column: span.column }),
            path: pathText(at),
            problem: typeof problem === "string" ? problem : problem(lineOf),
            expected,
            ...(fix === undefined ? {} : { fix }),
            ...(shown ? { source: withoutSecrets(lines[span.line - 1] ?? "") } : {}),
        };
    };
    const key = ({ line = 0, column = 0 }: Issue) => line * 1e5 + column;
    return findings.map(toIssue).toSorted((a, b) => key(a) - key(b));
}
