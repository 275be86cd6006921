import type { Issue } from "../issue";
import { pathText, type Finding } from "./finding";
import { findPlaces, type Places, type Span } from "./places";

function spanOf(places: Places, { at, target }: Finding): Span | undefined {
    for (let length = at.length; length > 0; length -= 1) {
        const path = at.slice(0, length);
        const span = target === "key" && length === at.length ? places.key(path) : undefined;
        const found = span ?? places.value(path);
        if (found !== undefined) return found;
    }
    return undefined;
}

/** Lines that must not be shown: those of a value that is secret. */
function secretLines(findings: readonly Finding[], places: Places): ReadonlySet<number> {
    return new Set(
        findings
            .filter(({ secret }) => secret)
            .flatMap(({ at }) => {
                const span = places.value(at);
                if (span === undefined) return [];
                const count = span.endLine - span.line + 1;
                return Array.from({ length: count }, (_, i) => span.line + i);
            }),
    );
}

/** Gives every finding its file, line, column and source line; in line order. */
export function locate(findings: readonly Finding[], text: string, file: string): readonly Issue[] {
    if (findings.length === 0) return [];
    const places = findPlaces(text);
    const lines = text.split("\n");
    const hidden = secretLines(findings, places);
    return findings
        .map((finding): Issue => {
            const { code, severity = "error", at, problem, expected, fix } = finding;
            const span = spanOf(places, finding);
            return {
                code,
                severity,
                file,
                ...(span === undefined ? {} : { line: span.line, column: span.column }),
                path: pathText(at),
                problem,
                expected,
                ...(fix === undefined ? {} : { fix }),
                ...(span === undefined || hidden.has(span.line)
                    ? {}
                    : { source: lines[span.line - 1] ?? "" }),
            };
        })
        .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
