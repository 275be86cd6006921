/** What the demo shows: numbered sections, each line with the seconds since the start. */
class Page {
    #write;
    #colour;
    #started = Date.now();
    #sections = [];

    /** @param {(text: string) => void} write @param {boolean} colour */
    constructor(write, colour) {
        this.#write = write;
        this.#colour = colour;
    }

    bold(text) {
        return this.#paint("1", text);
    }

    dim(text) {
        return this.#paint("2", text);
    }

    seconds() {
        return (Date.now() - this.#started) / 1000;
    }

    /** Begins a section; the one before it has ended. */
    section(title) {
        this.#end();
        this.#sections.push({ title, from: this.seconds(), to: undefined });
        const number = String(this.#sections.length).padStart(2);
        this.#write(`\n${this.bold(`${number}  ${title}`)}\n`);
    }

    /** A line of text, or several. */
    text(...lines) {
        for (const line of lines) this.#write(line === "" ? "\n" : `    ${line}\n`);
    }

    /** A step that is done, with the time. */
    step(text) {
        this.#write(`    ${this.dim(`${this.seconds().toFixed(1).padStart(6)} s`)}  ${text}\n`);
    }

    /** The sections with the seconds each took. @returns {readonly string[]} */
    summary() {
        this.#end();
        const width = Math.max(...this.#sections.map(({ title }) => title.length));
        return this.#sections.map(
            ({ title, from, to }) =>
                `${title.padEnd(width)}  ${this.dim(`${(to - from).toFixed(1).padStart(6)} s`)}`,
        );
    }

    #end() {
        const last = this.#sections.at(-1);
        if (last !== undefined) last.to ??= this.seconds();
    }

    #paint(code, text) {
        return this.#colour ? `\x1b[${code}m${text}\x1b[0m` : text;
    }
}

module.exports = { Page };
