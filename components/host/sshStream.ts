import { StringDecoder } from "node:string_decoder";

/** Cuts our own part out of one stream of a framed command, line by line while it runs. */
export class FramedStream {
    private readonly decoder = new StringDecoder("utf8");
    private begun = false;
    private noise = "";
    private line = "";
    private kept = "";
    private ending: string | undefined;

    /**
     * @param marks what stands before and after our part; noise of a login shell may come first.
     * @param keep characters kept for `text`: a script that runs for hours must not fill the memory.
     */
    constructor(
        private readonly marks: { readonly start: string; readonly end: string },
        private readonly keep: number,
        private readonly onLine: (line: string) => void,
    ) {}

    get started(): boolean {
        return this.begun;
    }

    /** What came before our part. */
    get before(): string {
        return this.noise;
    }

    /** Our part so far, or its last characters. */
    get text(): string {
        return this.kept;
    }

    /** The word after the end mark, once it came. */
    get result(): string | undefined {
        return this.ending;
    }

    push(chunk: Buffer): void {
        this.take(this.decoder.write(chunk));
    }

    /** The stream ended; a last line without its end counts too. */
    finish(): void {
        this.take(this.decoder.end());
        if (this.line !== "") this.take("\n", 0);
    }

    private take(text: string, kept = text.length): void {
        if (!this.begun) {
            this.noise = (this.noise + text).slice(-65_536);
            const mark = `${this.marks.start}\n`;
            const at = this.noise.indexOf(mark);
            if (at < 0) return;
            this.begun = true;
            const rest = this.noise.slice(at + mark.length);
            this.noise = this.noise.slice(0, at);
            this.take(rest);
            return;
        }
        const lines = (this.line + text).split("\n");
        this.line = lines.pop() ?? "";
        this.kept = (this.kept + text.slice(0, kept)).slice(-this.keep);
        for (const line of lines) this.emit(line);
    }

    private emit(line: string): void {
        const at = line.indexOf(`${this.marks.end} `);
        if (at < 0) {
            this.onLine(line);
            return;
        }
        this.ending = line.slice(at + this.marks.end.length + 1);
        this.kept = this.kept.slice(0, this.kept.lastIndexOf(this.marks.end));
        if (at > 0) this.onLine(line.slice(0, at));
    }
}
