import type { Finding } from "../finding";
import { show } from "../show";
import { argAt, givenFlag, texts, type Rule } from "./rule";

/** Fields that some recipes repeat as arguments: legal when equal, and then not added again. */
const twins = [
    { field: "distributed_backend", flag: "--distributed-executor-backend" },
    { field: "tensor_parallel_size", flag: "--tensor-parallel-size" },
    { field: "pipeline_parallel_size", flag: "--pipeline-parallel-size" },
    { field: "model", flag: "--model" },
    { field: "model_revision", flag: "--revision" },
] as const;

const equal = (field: string | number, text: string) =>
    typeof field === "number" ? Number(text.replaceAll("_", "")) === field : text === field;

/** Of two values for one thing the program would believe one and the engine the other. */
export const fieldsAgainstArguments: Rule = (draft) =>
    twins.flatMap(({ field, flag }): Finding[] => {
        const value = draft.fields[field];
        const given = givenFlag(draft, flag);
        const argument = given === undefined ? undefined : texts(given)[0];
        if (value === undefined || argument === undefined || equal(value, argument.text)) return [];
        return [
            {
                code: "conflict",
                at: argAt(argument.index),
                problem: (lineOf) => {
                    const line = lineOf([field]);
                    const where = line === "elsewhere" ? "by default" : `on ${line}`;
                    return `${flag} is ${show(argument.text)} here, ${field} ${show(String(value))} ${where}`;
                },
                expected: "the same value, or none in args",
                fix: `remove ${flag} from args: the program adds it`,
            },
        ];
    });
