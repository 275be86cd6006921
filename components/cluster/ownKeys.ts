import { namespace } from "./placeIssues";

/** The stack's own keys without their namespace, out of a configuration with `namespace:key` names. */
export function ownKeys(all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const prefix = new RegExp(`^${namespace}:(?:config:)?(?=.)`);
    return Object.fromEntries(
        Object.entries(all)
            .filter(([key]) => prefix.test(key))
            .map(([key, value]) => [key.replace(prefix, ""), value]),
    );
}
