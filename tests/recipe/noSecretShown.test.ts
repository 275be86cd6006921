import * as fc from "fast-check";
import { outcome, page, recipe } from "./recipeFixture";

/** Ways to leave a secret in a recipe, with other mistakes beside it. */
const places: readonly (readonly [name: string, text: (secret: string) => string])[] = [
    ["argument", (s) => recipe({ args: `"--api-key", "${s}", "--nnodes", "2", 7` })],
    ["argument of its own line", (s) => recipe({ args: `"--hf-token",\n"${s}", "--nnodes", "2"` })],
    ["in one word", (s) => recipe({ args: `"--api_key=${s}", "--seed", "x"` })],
    ["in one item", (s) => recipe({ args: `"--api-key ${s}", "--seed", "x"` })],
    ["beginning of the flag", (s) => recipe({ args: `"--api-k", "${s}", "--api-key", "${s}"` })],
    ["fork's flag", (s) => recipe({ args: `"--admin-token", "${s}", "--seed", "x"` })],
    [
        "JSON",
        (s) => recipe({ args: `"--kv-transfer-config", '{"api_key":"${s}"}', "--seed", "x"` }),
    ],
    ["broken JSON", (s) => recipe({ args: `"--kv-transfer-config", '{"api_key":"${s}",}'` })],
    ["dotted", (s) => recipe({ args: `"--kv-transfer-config.api_key", "${s}", "--seed", "x"` })],
    ["variable", (s) => recipe({ rest: `[env]\nHF_TOKEN = "${s}"\n"A B" = "1"` })],
    ["inline variable", (s) => recipe({ top: `env = { VLLM_API_KEY = "${s}", RANK = "0" }` })],
    ["unknown key", (s) => recipe({ top: `api_key = "${s}"` })],
    ["variable in a mount", (s) => recipe({ rest: `[[extra_mounts]]\nHF_TOKEN = "${s}"` })],
    ["string without end", (s) => recipe({ top: `hf_token = "${s}` })],
    ["no quotes", (s) => recipe({ top: `hf_token = ${s}` })],
    ["two values", (s) => recipe({ top: `hf_token = "1" "${s}"` })],
    ["key twice", (s) => recipe({ rest: `[env]\nHF_TOKEN = "1"\nHF_TOKEN = "${s}"` })],
];

const plain = fc
    .stringMatching(/^[A-Za-z0-9]{12,40}$/)
    .filter((text) => !recipe({}).includes(text) && !/^\d+$/.test(text));
const token = fc.stringMatching(/^[A-Za-z0-9]{24}$/).map((text) => `hf_${text}`);

test.each(places)("%s: refused, and never shown", (_, text) => {
    fc.assert(
        fc.property(fc.oneof(plain, token), (secret) => {
            const { recipe: accepted, issues } = outcome(text(secret));
            expect(accepted).toBeUndefined();
            expect(JSON.stringify(issues)).not.toContain(secret);
            expect(page(text(secret))).not.toContain(secret);
        }),
        { numRuns: 50 },
    );
});

test("a token is known by its form, wherever it stands", () => {
    const secret = "hf_abcdefghijklmnopqrstuvwx";
    for (const text of [
        recipe({ args: `"--chat-template", "${secret}"` }),
        recipe({ args: `"${secret}"` }),
        recipe({ args: `"--seed", "${secret}"` }),
        recipe({ rest: `[env]\nHARMLESS = "${secret}"` }),
        recipe({ top: `docker_image_dir = "${secret}"` }),
        recipe({ rest: `[[extra_mounts]]\nhost = "~/${secret}"\ncontainer = "${secret}"` }),
        recipe({}).replace('"org/m"', `"${secret}!"`),
    ]) {
        const { recipe: accepted, issues } = outcome(text);
        expect(accepted).toBeUndefined();
        expect(JSON.stringify(issues)).not.toContain(secret);
    }
});
