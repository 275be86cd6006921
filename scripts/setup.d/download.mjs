// download.mjs URL FILE: for machines with neither curl nor wget. Gives up when nothing arrives for 30 s.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

const [url, file] = process.argv.slice(2);
const abort = new AbortController();
let timer = setTimeout(() => abort.abort(), 5_000);
const response = await fetch(url, { signal: abort.signal });
if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
await pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks) {
        for await (const chunk of chunks) {
            clearTimeout(timer);
            timer = setTimeout(() => abort.abort(), 30_000);
            yield chunk;
        }
        clearTimeout(timer);
    },
    createWriteStream(file),
);
