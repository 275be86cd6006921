import { conclusive, type NodeFacts, parseTcp, tcpQuestions, type TcpQuestions } from "../cluster";
import type { StackPlan } from "../plan";
import { RecipeError } from "../issue";
import { runScript } from "./ssh";
import tcpScript from "./tcp.sh";

/** What the slower of two nodes may be late, and a lost packet sent again. */
const trySeconds = 5;
/** tcp.sh's exit code for that. */
const withoutPerl = 69;

/**
 * Lets all nodes connect to each other over the fabric at once; the facts come back with what opened.
 * Takes as long as ssh when all is open, about five seconds when something is not.
 */
export async function tryPorts(
    plan: StackPlan,
    all: readonly NodeFacts[],
    signal?: AbortSignal,
): Promise<readonly NodeFacts[]> {
    const questions = tcpQuestions(plan, all, freePort());
    if (questions.length < 2) return all;
    const answers = await Promise.all(questions.map((each) => ask(plan, each, signal)));
    const busy = answers.flatMap((each) => (typeof each === "object" ? each.busy : []));
    return all.map((facts) => {
        const answer = answers[questions.findIndex(({ node }) => node === facts.node)];
        if (answer === undefined) return facts;
        if (answer === "unable") return { ...facts, tcp: answer };
        return { ...facts, tcp: conclusive(answer.tried, questions, busy) };
    });
}

/** `unable`: the node has no Perl. */
async function ask(plan: StackPlan, question: TcpQuestions, signal?: AbortSignal) {
    const node = plan.nodes.find(({ name }) => name === question.node);
    if (node === undefined) return undefined;
    try {
        const { code, stdout } = await runScript(node, tcpScript, {
            timeoutSeconds: trySeconds + 10,
            args: [
                `seconds=${String(trySeconds)}`,
                `from=${question.from}`,
                `guests=${String(question.guests)}`,
                ...question.listen.map(({ address, port }) => `listen=${address}:${String(port)}`),
                ...question.connect.map(
                    ({ address, port }) => `connect=${address}:${String(port)}`,
                ),
            ],
            ...(signal === undefined ? {} : { signal }),
        });
        if (code === withoutPerl) return "unable";
        return code === 0 ? parseTcp(stdout) : undefined;
    } catch (error) {
        // A node that is gone since it told its facts: the next step says so better.
        if (!(error instanceof RecipeError)) throw error;
        return undefined;
    }
}

/** Of the range that the engine's own sockets are in; another one each time, so that two runs do not meet. */
function freePort(): number {
    return 33_000 + Math.floor(Math.random() * 27_000);
}
