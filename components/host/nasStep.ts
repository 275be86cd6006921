import type { NasMountPlan } from "../plan";
import type { GroupNode } from "./group";
import { mountNas, type NasOutcome, unmountNas } from "./nas";

export interface NasInput {
    readonly node: GroupNode;
    readonly mount: NasMountPlan;
    readonly groupId: string;
}

const texts: Readonly<Record<NasOutcome, string>> = {
    made: "mounted",
    kept: "is mounted as it is to be",
    foreign: "was mounted by someone else: used as it is,",
};

/** Mounts a node's NAS. */
export async function nasStep({ node, mount, groupId }: NasInput): Promise<object> {
    const outcome = await mountNas(node, mount, groupId);
    process.stderr.write(`${node.name}  ${mount.source} ${texts[outcome]} at ${mount.path}\n`);
    return { outcome };
}

/** Takes the mount away, if the stack made it and nothing uses it. */
export async function nasUndoStep({ node, mount, groupId }: NasInput): Promise<object> {
    const said = await unmountNas(node, mount, groupId);
    if (said !== "") process.stderr.write(`${node.name}  ${said}\n`);
    return {};
}
