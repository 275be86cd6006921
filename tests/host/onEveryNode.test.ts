import { onEveryNode } from "../../components/host";
import { type Issue, RecipeError } from "../../components/issue";

const issue = (file: string): Issue => ({
    ...{ code: "docker", severity: "error", file, path: "" },
    ...{ problem: "down", expected: "up" },
});
const fault = (node: string, closing?: string) =>
    Promise.reject(new RecipeError([issue(node)], closing));

test("the results come in the order of the nodes", async () => {
    const work = (node: number) =>
        new Promise<number>((resolve) => setTimeout(resolve, node, node * 2));
    expect(await onEveryNode([20, 1], work)).toEqual([40, 2]);
});

test("all nodes' issues together, although one fails at once", async () => {
    const seen: string[] = [];
    const all = onEveryNode(["a", "b", "c"], async (node) => {
        if (node === "a") await fault(node, "As it was.");
        await new Promise((resolve) => setTimeout(resolve, 10));
        seen.push(node);
        if (node === "c") await fault(node);
    });
    await expect(all).rejects.toMatchObject({
        issues: [issue("a"), issue("c")],
        closing: "As it was.",
    });
    expect(seen).toEqual(["b", "c"]);
});

test("the caller's own closing, and a bug before any issue", async () => {
    await expect(onEveryNode(["a"], (node) => fault(node), "Mine.")).rejects.toMatchObject({
        closing: "Mine.",
    });
    const bug = new TypeError("bug");
    const work = (node: string) => (node === "a" ? fault(node) : Promise.reject(bug));
    await expect(onEveryNode(["a", "b"], work)).rejects.toBe(bug);
});
