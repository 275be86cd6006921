import type { Issue } from "../issue";
import type { PullPlan } from "../plan";
import { lastLine } from "./lastLine";

type Text = Pick<Issue, "code" | "expected" | "fix">;

/** What Docker's words mean, and what helps; the first that fits. */
const causes: readonly (readonly [RegExp, (login: PullPlan["login"], image: string) => Text])[] = [
    [
        /unauthorized|denied|authentication required|no basic auth/i,
        (login) => ({
            code: "image",
            expected:
                login === undefined
                    ? "a registry that gives it to anyone, or a login"
                    : `a registry that gives it to ${login.username}`,
            fix:
                login === undefined
                    ? "set image.registry and the secret registryPassword"
                    : "check image.registry, and set the secret registryPassword anew",
        }),
    ],
    [
        /no matching manifest|no match for platform|does not match the (specified|expected) platform/i,
        () => ({
            code: "architecture",
            expected: "an image for the nodes' platform",
            fix: "take the digest of an image for that platform, or correct image.platform",
        }),
    ],
    [
        /manifest unknown|not found/i,
        (_, image) => ({
            code: "image",
            expected: "an image that the registry has",
            fix: `\`docker buildx imagetools inspect ${image}\` shows what is there`,
        }),
    ],
    [
        /x509|certificate|HTTP response to HTTPS client/i,
        () => ({
            code: "image",
            expected: "a registry that the node's Docker trusts",
            fix: "put its certificate into /etc/docker/certs.d/<registry>/ca.crt on the node",
        }),
    ],
    [
        /no space left/i,
        () => ({
            code: "disk",
            expected: "room for the image",
            fix: "`docker system df` shows what takes the room, `docker image prune` frees some",
        }),
    ],
];

/** An image that one node's Docker could not pull. */
export function pullIssue(
    node: string,
    image: string,
    stderr: string,
    login: PullPlan["login"],
): Issue {
    const said = lastLine(stderr).trim().slice(0, 400);
    const [, textOf] = causes.find(([pattern]) => pattern.test(said)) ?? [];
    const text = textOf?.(login, image) ?? {
        code: "image",
        expected: "the node to reach the registry",
        fix: "try `docker pull` there; image.mirrors leads to a registry that it reaches",
    };
    return {
        severity: "error",
        file: node,
        path: "",
        problem: `${image} could not be pulled: ${said}`,
        ...text,
    };
}
