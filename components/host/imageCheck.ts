import type { Issue } from "../issue";
import type { ImagePlan } from "../plan";
import type { ImageLook } from "./imageLook";

type Text = Pick<Issue, "problem" | "expected" | "fix"> & { readonly code?: Issue["code"] };

function issue(file: string, { code = "image", ...text }: Text): Issue {
    return { code, severity: "error", file, path: "", ...text };
}

/** What is wrong with a group's image before anybody looks into it: absent, of other content, for another machine. */
export function imageIssues(looks: readonly ImageLook[], plan: ImagePlan): readonly Issue[] {
    const own = looks.flatMap((look) => ofNode(look, plan));
    return own.length > 0 || plan.build !== null ? own : differing(looks, plan);
}

function ofNode({ node, image }: ImageLook, plan: ImagePlan): readonly Issue[] {
    const { tag, build, platform } = plan;
    const again = howToMend(node, plan);
    if (image === null) {
        return [
            issue(node, {
                problem: `there is no image ${tag}`,
                expected: "it on every node",
                fix: again,
            }),
        ];
    }
    if (`${image.os}/${image.arch}` !== platform) {
        return [
            issue(node, {
                code: "architecture",
                problem: `${tag} is for ${image.os}/${image.arch}`,
                expected: `an image for ${platform}`,
                fix: "take a base image for that platform (image.base), or correct image.platform",
            }),
        ];
    }
    // A Dockerfile that does not take the digest gives its image no label.
    if (build?.args["SPARK_VLLM_CONTEXT"] === undefined || image.context === build.digest)
        return [];
    const label = image.context?.slice(0, 12) ?? "absent";
    return [
        issue(node, {
            problem: `${tag} holds another build: its label spark-vllm.context is ${label}`,
            expected: `the build of ${build.context}, ${build.digest.slice(0, 12)}`,
            fix: again,
        }),
    ];
}

function howToMend(node: string, { build, pull, strategy }: ImagePlan): string {
    if (build !== null) return `\`pulumi up --replace '**::${node}-image'\` builds it anew`;
    if (pull === undefined) return "build or load it there; it is never pulled";
    const step = pull.nodes.includes(node) || strategy !== "ship" ? "image-pull" : "image-ship";
    return `\`pulumi up --replace '**::${step}'\` brings it`;
}

/** An image of others has no label of ours, so its layers must be the same. */
function differing(looks: readonly ImageLook[], { tag }: ImagePlan): readonly Issue[] {
    const [head, ...others] = looks;
    const content = (look: ImageLook | undefined) =>
        look?.image?.context ?? look?.image?.layers.join();
    return others
        .filter((look) => content(look) !== content(head))
        .map((look) =>
            issue(look.node, {
                problem: `${tag} is ${look.image?.id ?? ""}, on ${head?.node ?? ""} it is ${head?.image?.id ?? ""}`,
                expected: "the same image on all nodes",
                fix: `\`docker save\` it on ${head?.node ?? ""} and \`docker load\` it here`,
            }),
        );
}

/** A warning when neither packages nor layers can tell whether two images are the same. */
export function unreadable(looks: readonly ImageLook[], plan: ImagePlan): readonly Issue[] {
    const layers = new Set(looks.map(({ image }) => image?.layers.join()));
    if (layers.size <= 1) return [];
    return [
        {
            code: "image",
            severity: "warning",
            path: "",
            problem: `${plan.tag} has no Python: what each node built could not be compared`,
            expected:
                "an image with Python, or `image.strategy: ship`, which sends one build to all nodes",
        },
    ];
}
