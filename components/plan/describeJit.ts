import type { Topology } from "./keepTypes";
import type { StackPlan } from "./types";

/** A start that served: with which image, cut how, on JIT caches of which stamp. */
export interface JitRecord {
    readonly image: string;
    readonly topology: Topology;
    readonly stamp: string;
}

/** As many ways back as a preview can tell of. */
const remembered = 20;

const sameStart = (a: Omit<JitRecord, "stamp">, b: Omit<JitRecord, "stamp">) =>
    a.image === b.image && changedTopology(a.topology, b.topology).length === 0;

/** The records with one more, the latest last; a start like an earlier one takes its place. */
export function addJitRecord(records: readonly JitRecord[], next: JitRecord): readonly JitRecord[] {
    return [...records.filter((record) => !sameStart(record, next)), next].slice(-remembered);
}

function changedTopology(before: Topology, after: Topology): readonly string[] {
    const change = (what: string, from: string | number, to: string | number) =>
        from === to ? [] : [`${what} ${String(from)} -> ${String(to)}`];
    return [
        ...change("tensor_parallel_size", before.tensorParallelSize, after.tensorParallelSize),
        ...change(
            "pipeline_parallel_size",
            before.pipelineParallelSize,
            after.pipelineParallelSize,
        ),
        ...change("platform", before.platform, after.platform),
    ];
}

const cost = "kernels are compiled anew, which took up to 36 minutes on GB10";

/**
 * What a start of this plan finds in the JIT caches, as far as it is known before the image is built: a line, or none
 * when they fit as they are.
 *
 * @param records of the starts that served, the latest last.
 */
export function describeJit(records: readonly JitRecord[], plan: StackPlan): readonly string[] {
    if (plan.nodes.every(({ jitCaches }) => jitCaches.length === 0)) return [];
    const last = records.at(-1);
    const next = { image: plan.image.tag, topology: plan.jit.topology };
    if (last === undefined) return [`cold JIT unless the nodes have caches of this kind: ${cost}`];
    if (sameStart(last, next)) return [];
    const earlier = records.find((record) => sameStart(record, next));
    if (earlier?.stamp === last.stamp) return [];
    if (plan.jit.onChange === "keep") {
        return ["JIT caches stay in place, whatever changes (caches.onImageChange: keep)"];
    }
    if (earlier !== undefined) {
        return [
            `JIT caches of ${earlier.stamp} are put back, those of ${last.stamp} set aside; where a node no longer ` +
                `has them: cold JIT, ${cost}`,
        ];
    }
    const changed = changedTopology(last.topology, next.topology);
    if (changed.length > 0) {
        return [`cold JIT (${changed.join(", ")}): ${cost}; the caches so far are set aside`];
    }
    return [
        `cold JIT if the image's torch, triton, flashinfer, vllm or plugins differ, which its build shows: then ${cost}, ` +
            "and the caches so far are set aside",
    ];
}
