import { readFileSync } from "node:fs";
import path from "node:path";

import type { StackPlan } from "../../components/plan";
import { SparkCluster } from "../../components/resources";
import { type RecordedResource, recordGraph } from "./recordGraph";

/** The golden plan of the seed on the example pair (tests/plan makes and checks it). */
export const plan = JSON.parse(
    readFileSync(path.join(__dirname, "../fixtures/plan/dsv4-flash-vision.json"), "utf8"),
) as StackPlan;

type Args = ConstructorParameters<typeof SparkCluster>[1];

/** What is declared for that plan, or another; hooks do nothing. */
export function seedCluster(args: Partial<Args>): Promise<readonly RecordedResource[]> {
    return recordGraph(() => {
        new SparkCluster("cluster", {
            plan,
            sshOptions: () => [],
            clearing: {
                stopAll: () => Promise.resolve(),
                reviveAll: () => Promise.resolve(),
                sweep: () => Promise.resolve(),
            },
            caches: { check: () => Promise.resolve(), place: () => Promise.resolve() },
            secrets: {},
            ...args,
        });
    });
}
