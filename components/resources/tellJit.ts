import type * as pulumi from "@pulumi/pulumi";

import { describeJit, type JitRecord, type StackPlan } from "../plan";

/** Says what the ranks will find in their JIT caches: a cold start takes many times as long. */
export function tellJit(
    plan: StackPlan,
    records: pulumi.Output<readonly JitRecord[]>,
    say: (text: string) => void,
): void {
    records.apply((before) => {
        describeJit(before, plan).forEach(say);
    });
}
