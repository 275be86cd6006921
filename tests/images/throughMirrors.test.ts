import { imageSource } from "../../components/image";

import { base, dockerfile, issuesOf, project, removeProjects } from "./contextFixture";

afterEach(removeProjects);

const mirrors = [{ from: "docker.io", to: "nas:5000/hub" }];
const source = (text: string, options = {}) =>
    imageSource(project({ Dockerfile: text, app: "" }), "engine", options);

test("a mirror gives the builder another name, and the image the same identity", () => {
    const plain = source(dockerfile);
    expect([plain.bases, plain.args]).toEqual([[base], {}]);
    const moved = source(dockerfile, { mirrors });
    expect(moved).toMatchObject({
        bases: [`nas:5000/hub/${base}`],
        args: { BASE: `nas:5000/hub/${base}` },
        digest: plain.digest,
    });
});

test("a base without a digest is this node's own, and left alone", () => {
    const local = "# unpinned base: made here\nARG BASE=own:1\nFROM ${BASE}\n";
    expect(source(local, { mirrors })).toMatchObject({ bases: [], args: {} });
});

test.each([
    ["written out", `FROM ${base}\n`, 1],
    ["in parts", `ARG PLACE=example\nFROM \${PLACE}${base.replace("example", "")}\n`, 1],
])("a name %s cannot be led elsewhere", (_, text, line) => {
    const [issue] = issuesOf(() => source(text, { mirrors }));
    expect(issue).toMatchObject({
        code: "image",
        line,
        problem: `image.mirrors stands in for ${base}, but the name is written out here`,
        fix: `write ARG BASE=${base} above the first FROM, and FROM \${BASE}`,
    });
});
