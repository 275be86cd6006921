import { messageOf, RecipeError, renderIssues, type Issue } from "../../components/issue";

const issue = (more: Partial<Issue> = {}): Issue => ({
    code: "unknown-key",
    severity: "error",
    path: "shm_sise",
    problem: "unknown key",
    expected: "one of the recipe's keys",
    ...more,
});
const placed = issue({
    file: "recipes/m/recipe.toml",
    line: 49,
    column: 1,
    source: 'shm_sise = "32gb"',
    fix: "did you mean shm_size?",
});

test("an error is a small page: place, source line, expectation, fix, what did not happen", () => {
    expect(renderIssues([placed])).toBe(`recipes/m/recipe.toml:49:1  shm_sise: unknown key
    49 | shm_sise = "32gb"
       | ^
    expected one of the recipe's keys; did you mean shm_size?
1 problem. Nothing was changed.`);
});

test("what is unknown is left out", () => {
    expect(renderIssues([issue({ path: "" })])).toBe(`unknown key
    expected one of the recipe's keys
1 problem. Nothing was changed.`);
    const { column: _, ...line } = placed;
    expect(renderIssues([line]).split("\n")[1]).toBe('    49 | shm_sise = "32gb"');
});

test("by file in the order given, then by line and column; warnings are told and counted apart", () => {
    const at = (
        file: string,
        line: number,
        column: number,
        severity: Issue["severity"] = "error",
    ) => issue({ file, line, column, severity });
    const page = renderIssues([
        at("b", 2, 9),
        at("a", 7, 1),
        at("b", 2, 3, "warning"),
        at("b", 1, 5),
    ]);
    expect(page.split("\n").filter((text) => !text.startsWith(" "))).toEqual([
        "b:1:5  shm_sise: unknown key",
        "b:2:3  warning: shm_sise: unknown key",
        "b:2:9  shm_sise: unknown key",
        "a:7:1  shm_sise: unknown key",
        "3 problems, 1 warning. Nothing was changed.",
    ]);
});

test("the caller says what became of the machines; warnings changed nothing to speak of", () => {
    expect(renderIssues([issue()], "The old group is gone.")).toMatch(
        /\n1 problem\. The old group is gone\.$/,
    );
    expect(renderIssues([issue()], "")).toMatch(/\n1 problem\.$/);
    expect(renderIssues([issue({ severity: "warning" })])).toMatch(/\n1 warning\.$/);
    expect(renderIssues([])).toBe("");
});

test("tabs and unprintable characters take one place, a long line is cut around the column", () => {
    const odd = { ...placed, source: "\tx\u0007 = 1", column: 3 };
    expect(renderIssues([odd]).split("\n").slice(1, 3)).toEqual([
        "    49 |  x\uFFFD = 1",
        "       |   ^",
    ]);
    const long = { ...placed, source: `${"a".repeat(300)}!${"b".repeat(300)}`, column: 301 };
    const [, text = "", caret = ""] = renderIssues([long]).split("\n");
    expect(text.length).toBeLessThan(115);
    expect(text[caret.indexOf("^")]).toBe("!");
});

test("message of the JSON form, and of the error itself", () => {
    expect(messageOf(placed)).toBe("unknown key; expected one of the recipe's keys");
    expect(new RecipeError([placed, placed]).message).toBe(
        "shm_sise: unknown key\nshm_sise: unknown key",
    );
});
