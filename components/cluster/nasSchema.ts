import * as z from "zod";
import { block, field } from "./field";

/** A new schema each time: a description belongs to one field. */
const text = () => z.string();

/** A share that the program mounts on every node, at the hub's root. */
export const manageSchema = block(
    {
        source: field(text().regex(/^[^\s\p{C}]+$/u), {
            description: "the share, as `mount` takes it; it is mounted at the hub's root",
            expected: "a share without blanks, e.g. nas:/ai/huggingface or //nas/ai/huggingface",
        }),
        type: field(text().regex(/^[a-z0-9._-]+$/), {
            description: "file-system type, one of nas.fsTypes",
            expected: "a file-system type, e.g. nfs4 or cifs",
        }),
        options: field(text().regex(/^[^\s\p{C}]*$/u), {
            description:
                "mount options; a password belongs into a file of the nodes (credentials=FILE)",
            expected: "options without blanks, separated by commas, e.g. ro,hard,nconnect=8",
        }).default(""),
    },
    "mount the share on every node (root, or sudo without a password); default: it must be mounted already",
);
