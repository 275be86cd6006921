const fs = require("node:fs");
const path = require("node:path");

const { aboutPicture, ask } = require("./ask.js");
const { changeLines, changesOf, replacement, warningCount } = require("../engine/events.js");
const { root } = require("./processes.js");
const { forNodes, withFlag, writeRecipe } = require("./recipeCopy.js");

/** What the demo shows, act by act; each stands on the one before it. */
class Story {
    #page;
    #nodes;
    #cluster;
    #traces;
    #show;
    #options;
    #recipe;

    constructor({ page, nodes, cluster, traces, show, options }) {
        [this.#page, this.#nodes, this.#cluster] = [page, nodes, cluster];
        [this.#traces, this.#show, this.#options] = [traces, show, options];
    }

    get #names() {
        return Array.from({ length: this.#options.nodes }, (_, at) => `spark-${String(at + 1)}`);
    }

    async startNodes() {
        const page = this.#page;
        const words = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight"];
        page.section(`${words[this.#options.nodes - 2]} simulated Sparks`);
        page.text(
            "Each is a privileged container with its own ssh, Docker, fabric and NAS mount.",
            page.bold("A privileged container is root on this machine."),
        );
        if (this.#nodes.leftOver()) {
            await this.#nodes.down();
            page.step("what an earlier demo left: taken down");
        }
        await this.#nodes.up(this.#options.nodes, (text) => page.step(text));
        if (this.#options.engine !== "stand-in") {
            page.text("the engine's image is made once on a machine, which takes some minutes");
            await this.#nodes.serveWith(this.#options.engine, (text) => page.step(text));
        }
        await this.#traces.note();
        await this.#cluster.create();
        this.#chooseRecipe();
    }

    /** The recipe is for two nodes; for more, a copy with one rank on each. */
    #chooseRecipe() {
        const { recipe } = this.#show;
        const text = fs.readFileSync(path.join(root, "recipes", recipe, "recipe.toml"), "utf8");
        this.#recipe = { name: recipe, text: forNodes(text, this.#options.nodes) };
        if (this.#recipe.text === text) return;
        this.#cluster.useRecipe(
            writeRecipe(path.join(this.#nodes.files, "n"), recipe, this.#recipe.text),
        );
        this.#page.step(`${recipe}, rewritten for ${String(this.#options.nodes)} ranks`);
    }

    async preview() {
        const page = this.#page;
        page.section(`Preview of the recipe ${this.#show.recipe} (pulumi preview)`);
        const events = await this.#cluster.preview();
        page.text(...changeLines(changesOf(events), this.#names));
        const count = warningCount(events);
        if (count > 0) {
            const command = `npm run spark -- check ${this.#show.recipe}`;
            page.text(page.dim(`${String(count)} warnings about the recipe: ${command}`));
        }
        page.step("nothing was changed; no node was contacted");
    }

    async deploy() {
        const page = this.#page;
        page.section("Deploy (pulumi up)");
        page.text(`engine: ${this.#show.engine}`);
        await this.#cluster.up();
        const { endpoint, model, modelRevision } = await this.#cluster.outputs();
        page.step(`serving ${model} at ${endpoint} on spark-1`);
        page.text(page.dim(`model revision ${modelRevision}`));
    }

    async ask() {
        const page = this.#page;
        const { question, picture } = this.#show;
        page.section("Ask it");
        const { endpoint, model } = await this.#cluster.outputs();
        const head = { node: "spark-1", sshConfig: this.#nodes.sshConfig, endpoint, model };
        page.text(`text     ${question}`);
        page.step(await ask(head, question));
        if (picture === undefined) return;
        const { width, height } = picture;
        page.text(`picture  ${picture.question} (a PNG, ${String(width)}x${String(height)})`);
        page.step(await ask(head, aboutPicture(picture)));
    }

    async changeArgument() {
        const page = this.#page;
        const { flag, value } = this.#show.change;
        page.section(`Preview of one changed argument: ${flag} ${value}`);
        const changed = withFlag(this.#recipe.text, flag, value);
        this.#cluster.useRecipe(
            writeRecipe(path.join(this.#nodes.files, "changed"), this.#recipe.name, changed),
        );
        const events = await this.#cluster.preview();
        page.text(...changeLines(changesOf(events), this.#names), ...replacement(events));
        page.step("nothing was changed: the group still serves");
        this.#useFirstRecipe();
    }

    #useFirstRecipe() {
        const copy = path.join(this.#nodes.files, "n", this.#recipe.name, "recipe.toml");
        this.#cluster.useRecipe(fs.existsSync(copy) ? copy : this.#recipe.name);
    }

    async revive() {
        const page = this.#page;
        page.section("Kill a rank, then pulumi up --refresh");
        const { nodes } = await this.#cluster.outputs();
        const victim = nodes.at(-1);
        const before = await this.#startTimes(nodes);
        await this.#nodes.on(victim.name, `docker kill ${victim.container}`);
        page.step(`${victim.container} on ${victim.name} killed`);
        await this.#cluster.up({ refresh: true });
        const after = await this.#startTimes(nodes);
        if (after.some((time, at) => time <= before[at]))
            throw new Error("a rank was not started anew");
        page.step(`all ${String(nodes.length)} ranks started anew, and the group serves`);
    }

    #startTimes(nodes) {
        return Promise.all(
            nodes.map(({ name, container }) =>
                this.#nodes.on(name, `docker inspect -f '{{.State.StartedAt}}' ${container}`),
            ),
        );
    }

    async destroy() {
        this.#page.section("Take it down (pulumi destroy)");
        await this.#cluster.destroy();
        const left = await Promise.all(
            this.#names.map((name) =>
                this.#nodes.on(name, "docker ps -aq --filter label=spark-vllm.rank"),
            ),
        );
        if (left.join("") !== "") throw new Error("destroy left a rank");
        this.#page.step("no rank is left on any node");
    }

    async proveNothingLeft() {
        const page = this.#page;
        page.section("Take the Sparks down");
        await this.#nodes.down((text) => page.step(text));
        const left = await this.#traces.left();
        if (left.length > 0)
            throw new Error(`left behind:\n${left.map((line) => `  ${line}`).join("\n")}`);
        page.step("nothing is left: containers, networks, volumes, processes, mounts, files");
    }
}

module.exports = { Story };
