import { shmBytes } from "../shmBytes";
import type { Finding } from "../finding";
import { show } from "../show";
import type { Rule } from "./rule";

/** With the host's IPC namespace a container sees the node's own /dev/shm, whatever size is asked for. */
export const sharedMemory: Rule = ({ fields: { shm_size: size } }): readonly Finding[] => {
    if (size === undefined) return [];
    if (shmBytes(size) === undefined) {
        return [
            {
                code: "bad-value",
                at: ["shm_size"],
                problem: `${show(size)} is more than any machine has`,
                expected: "a size below 2^53 bytes",
            },
        ];
    }
    return [
        {
            code: "ineffective",
            severity: "warning",
            at: ["shm_size"],
            problem: `${size} has no effect: the ranks use the node's own /dev/shm (host IPC)`,
            expected: "a node whose /dev/shm is large enough",
            fix: "the key may stay: it says what the model needs",
        },
    ];
};
