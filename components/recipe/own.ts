/** A table's own entry: names that people write may be those of every object, like `constructor`. */
export function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
    return Object.hasOwn(table, key) ? table[key] : undefined;
}
