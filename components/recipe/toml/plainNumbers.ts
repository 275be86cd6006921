/** A number with a point or an exponent: 2.0 is no whole number, however small the part behind the point. */
export class TomlFloat {
    constructor(readonly value: number) {}
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
    return (
        typeof value === "object" &&
        value !== null &&
        (Object.getPrototypeOf(value) === null || Object.getPrototypeOf(value) === Object.prototype)
    );
}

/** Tables with whole numbers as numbers and the others as TomlFloat; numbers beyond 2^53 stay bigint. */
export function plainNumbers(value: unknown): unknown {
    if (typeof value === "bigint") {
        const number = Number(value);
        return Number.isSafeInteger(number) ? number : value;
    }
    if (typeof value === "number") return new TomlFloat(value);
    if (Array.isArray(value)) return value.map(plainNumbers);
    if (!isContainer(value)) return value;
    return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, plainNumbers(inner)]),
    );
}
