/**
 * @typedef {object} Show what the demo does with one engine
 * @property {string} recipe a folder under recipes/
 * @property {string} engine one line: what stands in for the real thing
 * @property {{ flag: string, value: string }} change the argument that is changed for the second preview
 * @property {string} question asked as text
 * @property {{ question: string, width: number, height: number, colour: readonly [number, number, number] }} [picture]
 *     asked about a picture of one colour, where the model sees
 */

/** @type {Show} the seed recipe on the simulated nodes */
const standIn = {
    recipe: "dsv4-flash-vision",
    engine: "a stand-in for vLLM: its arguments, boot, API and failures, without a model",
    change: { flag: "--max-num-seqs", value: "4" },
    question: "What do two Sparks make of one model?",
    picture: {
        question: "What is in this picture?",
        width: 64,
        height: 48,
        colour: [118, 185, 0],
    },
};

/** @type {Show} the real engine on the simulated nodes: docker-images/tiny-cpu */
const vllm = {
    recipe: "tiny-cpu",
    engine: "vLLM itself, on CPU, with 147,776 random parameters: the words have no meaning",
    change: { flag: "--max-num-seqs", value: "4" },
    question: "What do two Sparks make of one model?",
};

/** By the words of `--engine`. @type {Readonly<Record<string, Show>>} */
const shows = { "stand-in": standIn, vllm };

module.exports = { shows };
