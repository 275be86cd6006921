import type { Draft } from "../draft";
import type { Finding } from "../finding";
import { argAt, givenFlag, texts, type Rule } from "./rule";

/** Flags that multiply the ranks, and have no key in a recipe. */
const multipliers = ["--data-parallel-size", "--prefill-context-parallel-size"];

function multiplied(draft: Draft): readonly Finding[] {
    return multipliers.flatMap((flag): Finding[] => {
        const given = givenFlag(draft, flag);
        const value = given === undefined ? undefined : texts(given)[0];
        const factor = Number(value?.text);
        if (value === undefined || !Number.isInteger(factor) || factor < 2) return [];
        return [
            {
                code: "conflict",
                at: argAt(value.index),
                problem: `${flag} ${value.text} asks for ${value.text} times the ranks`,
                expected: "one rank a node: tensor_parallel_size x pipeline_parallel_size of them",
                fix: `remove ${flag}`,
            },
        ];
    });
}

const ranksOfFields: Rule = ({ fields }) => {
    const { required_nodes: nodes, tensor_parallel_size: tp, pipeline_parallel_size: pp } = fields;
    if (nodes === undefined || tp === undefined || pp === undefined || tp * pp === nodes) return [];
    const product = `${String(tp)} x ${String(pp)} = ${String(tp * pp)}`;
    return [
        {
            code: "conflict",
            at: ["tensor_parallel_size"],
            problem: (lineOf) =>
                `tensor_parallel_size x pipeline_parallel_size is ${product} ranks, required_nodes ${String(nodes)} (${lineOf(["required_nodes"])})`,
            expected: "one rank a node: each has one GPU",
            fix: `write required_nodes = ${String(tp * pp)}, or sizes whose product is ${String(nodes)}`,
        },
    ];
};

/** As many ranks as nodes: a Spark has one GPU. */
export const ranksFitNodes: Rule = (draft) => [...ranksOfFields(draft), ...multiplied(draft)];
