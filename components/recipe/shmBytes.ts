const powers: Readonly<Record<string, number>> = { b: 0, k: 1, m: 2, g: 3 };

/** Bytes of a size as Docker writes it, `32gb` or `512M`: powers of 1024. Undefined when it is none. */
export function shmBytes(size: string): number | undefined {
    const [, digits, unit] = /^([1-9][0-9]*)([bkmg])b?$/i.exec(size) ?? [];
    if (digits === undefined || unit === undefined) return undefined;
    const bytes = Number(digits) * 1024 ** (powers[unit.toLowerCase()] ?? 0);
    return Number.isSafeInteger(bytes) ? bytes : undefined;
}
