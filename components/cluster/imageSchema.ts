import * as z from "zod";
import { block, choice, count, field, flag } from "./field";
import * as patterns from "./patterns";

/** A new schema each time: a description belongs to one field. */
const registry = (description: string, expected: string) =>
    field(z.string().regex(patterns.registryPath), { description, expected });

const registrySchema = block(
    {
        server: registry(
            "registry that wants a login, as image names begin; after mirrors",
            "a registry: ghcr.io, nas.lan:5000, or docker.io for Docker's hub",
        ),
        username: field(z.string().regex(/^[^\s:\p{C}]+$/u), {
            description: "who logs in; the password is the secret registryPassword",
            expected: "a user's name",
        }),
    },
    "login for pulls; default: what each node's own Docker is logged in to",
);

const mirrorSchema = block(
    {
        from: registry(
            "beginning of image names; docker.io for names without a registry",
            "a registry, or a part of one: docker.io, nvcr.io/nvidia",
        ),
        to: registry("what stands there instead", "a registry, or a part of one: nas.lan:5000/hub"),
    },
    "a registry reached elsewhere",
);

/** The image of the ranks: where it comes from. */
export const imageSchema = block(
    {
        base: field(z.string().regex(patterns.imageReference), {
            description: "base image instead of the Dockerfile's own, with its digest",
            expected: "an image name with its digest: name@sha256:…",
        }).optional(),
        allowUnpinnedBase: flag("build on a base image without a digest, too").default(false),
        dir: field(z.string().regex(/^(?!\/)[\w./-]+$/), {
            description: "folder under docker-images/, instead of the recipe's",
            expected: "a folder under docker-images/",
        }).optional(),
        platform: choice(["linux/arm64", "linux/amd64"], "platform of the nodes").default(
            "linux/arm64",
        ),
        strategy: choice(
            ["per-node", "ship"],
            "build or pull on each node, or on the first and copy",
        ).default("per-node"),
        pull: choice(
            ["digest", "tag"],
            "which image that is not built here is pulled: one named with its digest; or also a registry's tag, which the first node resolves for all",
        ).default("digest"),
        registry: registrySchema.optional(),
        mirrors: field(z.array(mirrorSchema), {
            description: "where registries are reached instead",
            expected: "a list of {from, to}",
        }).default([]),
        retain: count(1, 100, "images", "the last that served stay on a node").default(3),
    },
    "the image of the ranks",
);
