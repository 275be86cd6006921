import { mirrored, readReference, registryOf } from "../../components/image";

const digest = `sha256:${"1".repeat(64)}`;

test.each([
    ["vllm", { name: "vllm" }, "docker.io"],
    ["vllm:local", { name: "vllm", tag: "local" }, "docker.io"],
    ["eugr/vllm", { name: "eugr/vllm" }, "docker.io"],
    [`eugr/vllm:1@${digest}`, { name: "eugr/vllm", tag: "1", digest }, "docker.io"],
    ["ghcr.io/x/vllm:1.2", { registry: "ghcr.io", name: "ghcr.io/x/vllm", tag: "1.2" }, "ghcr.io"],
    ["nas:5000/vllm", { registry: "nas:5000", name: "nas:5000/vllm" }, "nas:5000"],
    [
        `localhost/vllm@${digest}`,
        { registry: "localhost", name: "localhost/vllm", digest },
        "localhost",
    ],
])("%s in its parts", (reference, parts, registry) => {
    expect(readReference(reference)).toEqual(parts);
    expect(registryOf(reference)).toBe(registry);
});

const mirrors = [
    { from: "docker.io", to: "nas:5000/hub" },
    { from: "docker.io/eugr", to: "nas:5000/eugr" },
    { from: "nvcr.io/nvidia", to: "nas:5000/nv" },
];

test.each([
    [`debian@${digest}`, `nas:5000/hub/library/debian@${digest}`],
    ["docker.io/a/b:1", "nas:5000/hub/a/b:1"],
    ["eugr/vllm:1", "nas:5000/eugr/vllm:1"],
    ["eugrate/vllm:1", "nas:5000/hub/eugrate/vllm:1"],
    [`nvcr.io/nvidia/vllm:1@${digest}`, `nas:5000/nv/vllm:1@${digest}`],
    ["nvcr.io/other/vllm:1", "nvcr.io/other/vllm:1"],
    ["ghcr.io/a:1", "ghcr.io/a:1"],
])("%s through the mirrors", (reference, asked) => {
    expect(mirrored(reference, mirrors)).toBe(asked);
});
