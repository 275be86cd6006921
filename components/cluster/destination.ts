import { destination } from "./patterns";

/** What `host` of a node says. */
export interface Destination {
    /** For `ssh`: `user@name` or an alias. */
    readonly destination: string;
    readonly port?: number;
    /** Home that follows from the user's name; none for an alias, whose user only ssh knows. */
    readonly home?: string;
    /** The host's name or the alias, for addresses a user calls. */
    readonly hostName: string;
}

/** Reads `user@name[:port]` or an alias; the text must have passed the schema. */
export function parseDestination(text: string): Destination {
    const { user, name = "", port, alias } = destination.exec(text)?.groups ?? {};
    if (user === undefined) return { destination: alias ?? text, hostName: alias ?? text };
    return {
        destination: `${user}@${name}`,
        ...(port === undefined ? {} : { port: Number(port) }),
        home: user === "root" ? "/root" : `/home/${user}`,
        hostName: name,
    };
}
