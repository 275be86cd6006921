import { argAt, givenFlag, type Rule } from "./rule";

/** The engine refuses the switch without a parser, and ignores a parser without the switch. */
export const toolParser: Rule = (draft) => {
    const parser = givenFlag(draft, "--tool-call-parser");
    const choice = givenFlag(draft, "--enable-auto-tool-choice");
    const isOn = choice !== undefined && !choice.off;
    if (isOn && parser === undefined) {
        return [
            {
                code: "conflict",
                at: argAt(choice.index),
                problem:
                    "--enable-auto-tool-choice without --tool-call-parser: the engine refuses it",
                expected: "both or none",
                fix: 'write "--tool-call-parser" and the model\'s parser, e.g. "hermes"',
            },
        ];
    }
    if (parser === undefined || isOn) return [];
    return [
        {
            code: "ineffective",
            severity: "warning",
            at: argAt(parser.index),
            problem:
                "--tool-call-parser without --enable-auto-tool-choice: tools are called only when a request names one",
            expected: "both or none",
            fix: 'write "--enable-auto-tool-choice" too',
        },
    ];
};
