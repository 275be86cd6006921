const usage = `npm run demo -- [--keep] [--nodes N] [--engine E] [--yes] [--down]
  --keep     leaves the simulated Sparks and the model's group for a look
  --nodes N  2 to 8 simulated Sparks (2)
  --engine E stand-in (the default), or vllm: the real one on CPU, on two Sparks, with a tiny model; 3 GB a Spark
  --yes      installs missing system packages without asking
  --down     takes down what --keep left, nothing else`;

/**
 * Reads the words behind `npm run demo --`.
 * @param {readonly string[]} words
 * @throws {Error} what was wrong, and the usage
 */
function readOptions(words) {
    const options = {
        ...{ keep: false, nodes: 2, engine: "stand-in" },
        ...{ yes: false, down: false, help: false },
    };
    for (let at = 0; at < words.length; at += 1) {
        const [name, inline] = words[at].split("=", 2);
        if (name === "--nodes") options.nodes = nodeCount(inline ?? words[(at += 1)]);
        else if (name === "--engine") options.engine = engine(inline ?? words[(at += 1)]);
        else if (words[at] === "-h") options.help = true;
        else if (words[at] === "-y") options.yes = true;
        else if (["--keep", "--yes", "--down", "--help"].includes(words[at])) {
            options[words[at].slice(2)] = true;
        } else throw new Error(`${words[at]}: unknown\n${usage}`);
    }
    if (options.engine === "vllm" && options.nodes !== 2) {
        throw new Error(`--engine vllm: its recipe is for two nodes\n${usage}`);
    }
    return options;
}

function engine(name) {
    if (!["stand-in", "vllm"].includes(name)) {
        throw new Error(`--engine ${name ?? ""}: expected stand-in or vllm\n${usage}`);
    }
    return name;
}

function nodeCount(text) {
    if (!/^[2-8]$/.test(text ?? "")) {
        throw new Error(`--nodes ${text ?? ""}: expected a number from 2 to 8\n${usage}`);
    }
    return Number(text);
}

module.exports = { readOptions, usage };
