import { registryPath } from "./patterns";
import { type Context, finding, nothing, type Rule } from "./rulesContext";

/** Kernel, Docker and platform have three vocabularies. */
function architecture(name: string): string {
    const names: Readonly<Record<string, string>> = { aarch64: "arm64", x86_64: "amd64" };
    return names[name] ?? name;
}

function wanted({ plan }: Context): string {
    return plan.image.platform.split("/")[1] ?? plan.image.platform;
}

const platform: Rule = {
    id: "image-platform",
    check: (context) => {
        const has = architecture(context.facts.arch);
        const { platform: declared } = context.plan.image;
        if (has === wanted(context)) return nothing;
        return finding(
            "architecture",
            `the image is for ${declared}, ${context.node.name} is ${has}`,
            "an image of the node's own architecture",
            `set image.platform to linux/${has} in the stack's configuration`,
        );
    },
};

/** A registry's tag is pulled only when the stack says so: it may change between two pulls. */
function whyNotPulled(tag: string): readonly [expected: string, fix: string] {
    const [registry = "", ...path] = tag.split("/");
    if (path.length === 0 || !registryPath.test(registry)) {
        return [
            "the image on the node: the recipe builds none, and it is never pulled",
            `build or load it there (\`docker load\`), or set docker_image_dir in the recipe`,
        ];
    }
    return [
        "a name with its digest, which every node pulls alike, or the image on the node",
        `docker_image = "${tag}@sha256:…" (\`docker buildx imagetools inspect ${tag}\` shows it), or image.pull: tag`,
    ];
}

/** An image that is not built here must be there, or be pulled: a local name never is. */
const image: Rule = {
    id: "image-present",
    after: ["docker-on-path", "docker-access", "docker-running"],
    check: (context) => {
        const { tag, build, pull } = context.plan.image;
        if (build !== null || isSent(context)) return nothing;
        const found = imageOf(context);
        if (found === undefined) {
            if (pull !== undefined) return nothing;
            return finding("image", `there is no image ${tag}`, ...whyNotPulled(tag));
        }
        if (found.arch === wanted(context)) return nothing;
        return finding(
            "architecture",
            `${tag} is for ${found.arch}, ${context.node.name} is ${architecture(context.facts.arch)}`,
            "an image of the node's own architecture",
            "build it on the node itself",
        );
    },
};

/** Whether the first node's image is sent to this one. */
function isSent({ plan, node }: Context): boolean {
    return plan.image.strategy === "ship" && node.rank.role !== "head";
}

function imageOf({ plan, facts }: Pick<Context, "plan" | "facts">) {
    const { tag } = plan.image;
    return facts.docker.images.find(({ tags, digests }) => [...tags, ...digests].includes(tag));
}

/** Ranks of different builds speak different protocols, in silence; ids differ between equal builds, labels do not. */
const sameImage: Rule = {
    id: "image-same",
    after: ["image-present"],
    check: ({ plan, facts, all }) => {
        const head = all[0];
        if (plan.image.build !== null || head === undefined || head === facts) return nothing;
        // Sent to the others, whatever they have.
        if (plan.image.strategy === "ship") return nothing;
        const [first, own] = [imageOf({ plan, facts: head }), imageOf({ plan, facts })];
        if (first === undefined || own === undefined) return nothing;
        const content = ({ context, id }: typeof own) => context ?? id;
        if (content(first) === content(own)) return nothing;
        return finding(
            "image",
            `${plan.image.tag} is ${content(own)}, on ${head.node} it is ${content(first)}`,
            "the same image on all nodes",
            `\`docker save\` it on ${head.node} and \`docker load\` it here`,
        );
    },
};

export const imageRules: readonly Rule[] = [platform, image, sameImage];
