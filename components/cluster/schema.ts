import * as z from "zod";
import { amount, block, choice, count, field, flag } from "./field";
import { imageSchema } from "./imageSchema";
import { nodeSchema } from "./nodeSchema";
import { manageSchema } from "./nasSchema";
import * as patterns from "./patterns";

/** A new schema each time: a description belongs to one field. */
const text = () => z.string();
const port = (description: string): z.ZodInt =>
    field(z.int().min(1).max(65535), { description, expected: "a port from 1 to 65535" });
const path = (description: string, example: string): z.ZodString =>
    field(text().regex(patterns.absolutePath), {
        description,
        expected: `an absolute path without a slash at the end, e.g. ${example}`,
    });
const secret = (description: string, key: string): z.ZodString =>
    field(text().min(1), {
        description,
        expected: "a secret that is not empty",
        fix: `pulumi config set --secret ${key}`,
        secret: true,
    });

/** What counts as a mounted network file system when the stack does not say otherwise. */
export const networkFileSystems = [
    ...["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "fuse.glusterfs", "ceph", "fuse.ceph"],
    ...["lustre", "beegfs", "gpfs", "9p", "virtiofs"],
];

const ignoreSchema = block(
    {
        id: field(text().min(1), {
            description: "the rule",
            expected: "a rule's id, as preflight shows it",
        }),
        reason: field(text().regex(/\S/), {
            description: "why",
            expected: "why it does not matter here",
        }),
    },
    "a rule that shall not stop this stack",
);

/** The stack's whole configuration, namespace `spark-vllm`; closed: other keys are errors. */
export const clusterSchema = z.strictObject({
    recipe: field(text().regex(/^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u), {
        description: "folder name under recipes/, or a path to a recipe",
        expected: "the name of a folder under recipes/ or a path",
        fix: "pulumi config set recipe dsv4-flash-vision",
    }),
    nodes: field(z.array(nodeSchema).min(1), {
        description:
            "the machines, rank 0 (the head) first; as many as the recipe's required_nodes",
        expected: "a list of at least one node, each with name and host",
        fix: "a dash, name: spark-1, and below it host: user@spark-1 (see Pulumi.spark.yaml)",
    }),
    sshConfig: field(text().regex(/^[^\s\p{C}-][^\p{C}]*$/u), {
        description: "ssh_config file (`ssh -F`), relative to the project; default: your own",
        expected: "a path relative to the project",
    }).optional(),
    api: block(
        {
            port: port("TCP port of the API on the head").default(8000),
            bind: field(text().regex(patterns.ipv4), {
                description: "address of the head that the API listens on; 0.0.0.0 is all of them",
                expected: "an IPv4 address, e.g. 127.0.0.1 or 0.0.0.0",
            }).default("127.0.0.1"),
            open: flag("allow an API without a key beyond the head itself").default(false),
        },
        "where the API listens",
    ).prefault({}),
    masterPort: port("rendezvous of the ranks on the head's fabric address").default(29501),
    model: block(
        {
            revision: field(text().regex(patterns.commit), {
                description:
                    "commit of the model on the hub, for all ranks; wins over the recipe's",
                expected: "a commit of 40 hex digits in small letters",
                fix: 'in quotes: revision: "86f7…"',
            }).optional(),
        },
        "the model",
    ).prefault({}),
    weights: block(
        {
            location: choice(["nas", "local"], "where the hub lies").default("nas"),
            path: path(
                "hub root on the nodes; default: the recipe's mount with env HF_HOME",
                "/mnt/nas/ai/huggingface",
            ).optional(),
            prefetch: flag("download missing weights before the launch").default(false),
        },
        "the weights",
    ).prefault({}),
    nas: block(
        {
            fsTypes: field(
                z
                    .array(
                        field(text().regex(/^[a-z0-9._-]+$/), {
                            description: "a type",
                            expected: "a type",
                        }),
                    )
                    .min(1),
                {
                    description: "file-system types that count as a mounted NAS",
                    expected: "a list of file-system types as in /proc/mounts, e.g. [nfs4]",
                },
            ).default(networkFileSystems),
            manage: manageSchema.optional(),
        },
        "the network share with the weights",
    ).prefault({}),
    image: imageSchema.prefault({}),
    caches: block(
        {
            onImageChange: choice(
                ["fresh", "keep"],
                "JIT caches of other libraries or another topology: set aside, or kept in place",
            ).default("fresh"),
        },
        "what libraries compile at run time, in the recipe's mounts",
    ).prefault({}),
    launch: block(
        {
            timeoutSeconds: count(60, 86400, "seconds", "until the group must serve").default(3600),
            completionTimeoutSeconds: count(1, 3600, "seconds", "for one completion").default(120),
            stallSeconds: count(10, 86400, "seconds", "of silence before it is reported").default(
                300,
            ),
            takeOver: flag("stop another stack's group on these nodes").default(false),
            dropCaches: flag(
                "drop a node's page cache before its rank starts, when the engine's share is not free beside it",
            ).default(false),
            longPromptFraction: amount(
                [0, 1],
                "length of the long-prompt test as a part of max-model-len; 0: none",
            ).default(0),
            soakMinutes: amount([0, 1440, "minutes"], "mixed load after a start; 0: none").default(
                0,
            ),
        },
        "starting the group",
    ).prefault({}),
    checks: block(
        {
            ignore: field(z.array(ignoreSchema), {
                description: "preflight rules that shall not stop this stack",
                expected: "a list of {id, reason}",
            }).default([]),
        },
        "preflight",
    ).prefault({}),
    purge: field(z.array(choice(["images", "caches"], "what to remove")), {
        description: "what `pulumi destroy` takes besides containers, as of the last `up`",
        expected: "a list of images, caches",
    }).default([]),
    apiKey: secret("key that callers of the API must send", "apiKey").optional(),
    huggingFaceToken: secret("hub token for a gated model", "huggingFaceToken").optional(),
    registryPassword: secret(
        "password or token of image.registry's user",
        "registryPassword",
    ).optional(),
});

/** A configuration that fits the schema, defaults filled in. */
export type ClusterConfig = z.output<typeof clusterSchema>;
