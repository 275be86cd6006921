import type { Issue } from "../issue";
import type { ImagePlan } from "../plan";
import type { ImageLook } from "./imageLook";

type Text = Pick<Issue, "problem" | "expected" | "fix"> & { readonly code?: Issue["code"] };

function issue(file: string, { code = "image", ...text }: Text): Issue {
    return { code, severity: "error", file, path: "", ...text };
}

/** What is wrong with a group's image before anybody looks into it: absent, of other content, for another machine. */
export function imageIssues(looks: readonly ImageLook[], plan: ImagePlan): readonly Issue[] {
    const head = looks[0]?.node;
    const own = looks.flatMap((look) => ofNode(look, plan, howToMend(look.node, head, plan)));
    if (own.length > 0) return own;
    return [...(plan.build === null ? differing(looks, plan) : []), ...otherSettings(looks, plan)];
}

function ofNode({ node, image }: ImageLook, plan: ImagePlan, again: string): readonly Issue[] {
    const { tag, build, platform } = plan;
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

function howToMend(
    node: string,
    head: string | undefined,
    { build, pull, strategy }: ImagePlan,
): string {
    const ships = strategy === "ship";
    if (build !== null) {
        return ships && node !== head
            ? "`pulumi up --replace '**::image-ship'` sends the first node's"
            : `\`pulumi up --replace '**::${node}-image'\` builds it anew`;
    }
    if (pull === undefined) return "build or load it there; it is never pulled";
    const step = pull.nodes.includes(node) || !ships ? "image-pull" : "image-ship";
    return `\`pulumi up --replace '**::${step}'\` brings it`;
}

/** Variables and the like reach a rank as surely as files do, and stand in no layer. */
function otherSettings(looks: readonly ImageLook[], plan: ImagePlan): readonly Issue[] {
    const [head, ...others] = looks;
    const first = head?.image?.settings ?? {};
    return others.flatMap(({ node, image }) => {
        const settings = image?.settings ?? {};
        const names = [...new Set([...Object.keys(first), ...Object.keys(settings)])];
        return names
            .filter((name) => first[name] !== settings[name])
            .toSorted()
            .map((name) =>
                issue(node, {
                    problem: `${name} of ${plan.tag} is ${shown(name, settings)} on ${node} and ${shown(name, first)} on ${head?.node ?? ""}`,
                    expected: "the same image on all nodes",
                    fix: howToMend(node, head?.node, plan),
                }),
            );
    });
}

/** Nobody needs a secret in an image, and some have one. */
const secretName = /key|token|secret|passw|credential|auth/i;

function shown(name: string, settings: Readonly<Record<string, string>>): string {
    const value = settings[name];
    if (value === undefined) return "absent";
    return secretName.test(name) || /:\/\/[^/]*@/.test(value)
        ? "another (not shown)"
        : JSON.stringify(value);
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

/**
 * A warning when neither the engine's files nor the layers can tell whether two images are the same.
 * @param contents the manifest's modules with their digests; null: the image has no Python
 */
export function unreadable(
    looks: readonly ImageLook[],
    plan: ImagePlan,
    contents: Readonly<Record<string, string>> | null,
): readonly Issue[] {
    const layers = new Set(looks.map(({ image }) => image?.layers.join()));
    if (layers.size <= 1 || contents?.["vllm"] !== undefined) return [];
    const what =
        contents === null
            ? `${plan.tag} has no Python: what each node built could not be compared`
            : `the Python of ${plan.tag} has no vllm: the engine that each node built could not be compared`;
    return [
        {
            code: "image",
            severity: "warning",
            path: "",
            problem: what,
            expected: "an image whose `vllm` command names the Python that has it",
        },
    ];
}
