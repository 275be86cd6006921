import { randomBytes } from "node:crypto";

/** A group's id: made once and kept in the state, it says on the nodes whose containers are whose. */
export function newIdStep(): Promise<object> {
    return Promise.resolve({ id: randomBytes(8).toString("hex") });
}
