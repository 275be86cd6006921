/** Where a text stops being JSON. */
export interface JsonProblem {
    /** From 0. */
    readonly offset: number;
    /** What should stand there. */
    readonly expected: string;
}

class NotJson extends Error {
    constructor(readonly problem: JsonProblem) {
        super(problem.expected);
    }
}

const stringPattern = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;
// The engine reads with Python, which has these three besides JSON's own words.
const wordPattern = /(?:true|false|null|NaN|-?Infinity)\b/;
const maxDepth = 100;

/** JSON.parse names the place only now and then, and quotes the text, which may hold a secret. */
class Reader {
    offset = 0;
    constructor(private readonly text: string) {}

    fail(expected: string, offset = this.offset): never {
        throw new NotJson({ offset, expected });
    }

    private take(pattern: RegExp): boolean {
        const sticky = new RegExp(pattern, "y");
        sticky.lastIndex = this.offset;
        if (!sticky.test(this.text)) return false;
        this.offset = sticky.lastIndex;
        return true;
    }

    space(): void {
        this.take(/[ \t\n\r]*/);
    }

    private is(char: string): boolean {
        if (this.text[this.offset] !== char) return false;
        this.offset += 1;
        this.space();
        return true;
    }

    private string(what: string): void {
        if (this.take(stringPattern)) return;
        if (this.text[this.offset] !== '"') this.fail(what);
        const good = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;
        this.take(good);
        this.fail("the end of the string, or a valid escape");
    }

    private list(close: string, item: () => void): void {
        if (this.is(close)) return;
        do item();
        while (this.is(","));
        if (!this.is(close)) this.fail(`a comma or ${close}`);
    }

    value(depth = 0): void {
        if (depth > maxDepth) this.fail("less nesting");
        if (this.is("{")) {
            this.list("}", () => {
                this.string("a key in double quotes");
                this.space();
                if (!this.is(":")) this.fail("a colon");
                this.value(depth + 1);
            });
        } else if (this.is("[")) {
            this.list("]", () => {
                this.value(depth + 1);
            });
        } else if (this.text[this.offset] === '"') {
            this.string("a string");
        } else if (!this.take(wordPattern) && !this.take(numberPattern)) {
            this.fail("a value: {…}, […], text in double quotes, a number, true, false or null");
        }
        this.space();
    }

    end(): void {
        if (this.offset < this.text.length) this.fail("the end");
    }
}

/** Where a text is not JSON as the engine reads it; undefined when it is. */
export function jsonProblem(text: string): JsonProblem | undefined {
    const reader = new Reader(text);
    try {
        reader.space();
        reader.value();
        reader.end();
        return undefined;
    } catch (error) {
        if (error instanceof NotJson) return error.problem;
        throw error;
    }
}
