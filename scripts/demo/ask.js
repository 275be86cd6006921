const { loadSource } = require("../loadSource.js");
const { pngUrl } = require("./png.js");

/**
 * Asks the model, as seen from its head, as any client of its API would.
 * @param {{ node: string, sshConfig: string, endpoint: string, model: string }} head
 * @param {string | readonly object[]} content
 * @returns {Promise<string>} the answer
 */
async function ask({ node, sshConfig, endpoint, model }, content) {
    const { httpOverSsh } = loadSource("components/host/ssh.ts");
    const { hostname: host, port, pathname } = new URL(endpoint);
    const { status, body } = await httpOverSsh(
        { name: node, ssh: { destination: node, config: sshConfig } },
        { host, port: Number(port) },
        {
            method: "POST",
            path: `${pathname}/chat/completions`,
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ model, messages: [{ role: "user", content }], max_tokens: 64 }),
            timeoutSeconds: 60,
        },
    );
    const answer = status === 200 ? JSON.parse(body).choices?.[0]?.message?.content : undefined;
    if (!answer) throw new Error(`the model answered ${String(status)}: ${body.slice(0, 400)}`);
    return answer;
}

/** A question about a picture of one colour. */
function aboutPicture({ question, width, height, colour }) {
    const url = pngUrl(width, height, colour);
    return [
        { type: "text", text: question },
        { type: "image_url", image_url: { url } },
    ];
}

module.exports = { aboutPicture, ask };
