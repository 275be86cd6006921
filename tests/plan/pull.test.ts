import { planStack } from "../../components/plan";
import type { PlanInput } from "../../components/plan";

import { seedInput } from "./seed";

const digest = `sha256:${"7dc02f162929".padEnd(64, "0")}`;
const login = { server: "nas:5000", username: "robot" };
const mirrors = [{ from: "ghcr.io", to: "nas:5000" }];

function imageOf(dockerImage: string, change: object, image: PlanInput["image"] = null) {
    const input = seedInput();
    return planStack({
        ...input,
        image,
        recipe: { ...input.recipe, dockerImage },
        cluster: { ...input.cluster, image: { ...input.cluster.image, ...change } },
    }).image;
}

const nodes = ["spark-1", "spark-2"];

test.each([
    ["a local name", "vllm:local", { pull: "tag" }, "vllm:local", undefined],
    ["a registry's tag", "ghcr.io/vllm:1", {}, "ghcr.io/vllm:1", undefined],
    [
        "a registry's tag, allowed",
        "ghcr.io/vllm:1",
        { pull: "tag", mirrors },
        "ghcr.io/vllm:1",
        { what: "ranks", images: ["nas:5000/vllm:1"], nodes },
    ],
    [
        "a digest of Docker's hub",
        `eugr/vllm@${digest}`,
        {},
        "eugr/vllm:sha256-7dc02f162929",
        { what: "ranks", images: [`eugr/vllm@${digest}`], nodes },
    ],
    [
        "a digest, sent on by the first",
        `ghcr.io/vllm:1@${digest}`,
        { strategy: "ship", mirrors, registry: login },
        "ghcr.io/vllm:1-7dc02f162929",
        {
            what: "ranks",
            images: [`nas:5000/vllm:1@${digest}`],
            nodes: ["spark-1"],
            login,
        },
    ],
])("%s", (_, name, change, tag, pull) => {
    const plan = imageOf(name, change);
    expect([plan.tag, plan.build]).toEqual([tag, null]);
    expect(plan.pull).toEqual(pull);
});

test("bases are pulled before the build only from the registry with the login", () => {
    const { image } = seedInput();
    const bases = [`nas:5000/a@${digest}`, `ghcr.io/b@${digest}`];
    const built = image && { ...image, bases };
    const common = ["dsv4:local", { registry: login }] as const;
    expect(imageOf(...common, built).pull).toEqual({
        what: "bases",
        images: [`nas:5000/a@${digest}`],
        nodes,
        login,
    });
    expect(imageOf(...common, image).pull).toBeUndefined();
    expect(imageOf("dsv4:local", {}, built).pull).toBeUndefined();
});
