import { mountOf } from "./factsMount";
import { commandFlag } from "./rulesCommand";
import { finding, nothing, type Rule, warning } from "./rulesContext";

/** A number of the model's config.json, at the top or in its text part. */
function numberOf(config: Readonly<Record<string, unknown>> | undefined, key: string) {
    const inner = config?.["text_config"] as Readonly<Record<string, unknown>> | undefined;
    const value = config?.[key] ?? inner?.[key];
    return typeof value === "number" ? value : undefined;
}

/** The engine checks this only after minutes, when it has read the config (facts.md). */
const speculativeTokens: Rule = {
    id: "speculative-tokens",
    check: ({ facts, node, plan }) => {
        const text = commandFlag(node.rank.command, ["--speculative-config"]);
        const predict = numberOf(facts.hub?.snapshot?.config, "n_predict");
        if (text === undefined || predict === undefined || predict < 1) return nothing;
        const { num_speculative_tokens: k } = parse(text);
        if (typeof k !== "number" || k % predict === 0) return nothing;
        const [below, above] = [
            Math.floor(k / predict) * predict,
            Math.ceil(k / predict) * predict,
        ];
        const nearest = below > 0 ? `${String(below)} or ${String(above)}` : String(above);
        return finding(
            "bad-value",
            `num_speculative_tokens = ${String(k)}, n_predict of ${plan.model.id} is ${String(predict)}`,
            `a multiple of ${String(predict)}`,
            `set it to ${nearest} in --speculative-config`,
        );
    },
};

function parse(text: string): Readonly<Record<string, unknown>> {
    try {
        return JSON.parse(text) as Record<string, unknown>;
    } catch {
        return {};
    }
}

const normEpsilon: Rule = {
    id: "mhc-epsilon",
    check: ({ facts, node, plan }) => {
        const epsilon = numberOf(facts.hub?.snapshot?.config, "rms_norm_eps");
        if (node.rank.env["VLLM_USE_B12X_MHC"] !== "1") return nothing;
        if (epsilon === undefined || epsilon === 1e-6) return nothing;
        return finding(
            "bad-value",
            `VLLM_USE_B12X_MHC = 1, but rms_norm_eps of ${plan.model.id} is ${String(epsilon)}`,
            "rms_norm_eps 1e-6, which that kernel is written for",
            'set VLLM_USE_B12X_MHC = "0" in the recipe',
        );
    },
};

/** Loaders that read ahead in large pieces. */
const streaming = /^(instanttensor|fastsafetensors|runai_streamer.*|dummy)$/;

/** The default loader maps files page by page: slow over a network, and all of it stays in the page cache. */
const loader: Rule = {
    id: "loader-streams",
    check: ({ facts, node, plan }) => {
        if (plan.weights.location !== "nas" || facts.hub?.snapshot === undefined) return nothing;
        const format = commandFlag(node.rank.command, ["--load-format"]) ?? "auto";
        const mount = mountOf(facts, plan.weights.path ?? "/");
        if (streaming.test(format) || !plan.nasFsTypes.includes(mount?.type ?? "")) return nothing;
        return warning(
            finding(
                "ineffective",
                `the weights come over ${mount?.type ?? ""} with --load-format ${format}`,
                "a loader that streams: this one fills the page cache and is slow over a network",
                "`--load-format instanttensor`, if the image has it",
            ),
        );
    },
};

export const modelRules: readonly Rule[] = [speculativeTokens, normEpsilon, loader];
