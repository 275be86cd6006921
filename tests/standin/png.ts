import * as zlib from "node:zlib";

/** A PNG of one colour, base64. */
export function png(
    width: number,
    height: number,
    colour: readonly [number, number, number],
): string {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 2, 0, 0, 0], 8);
    const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()]);
    const pixels = Buffer.concat(Array.from({ length: height }, () => row));
    const signature = Buffer.from("89504e470d0a1a0a", "hex");
    const parts = [
        chunk("IHDR", header),
        chunk("IDAT", zlib.deflateSync(pixels)),
        chunk("IEND", Buffer.alloc(0)),
    ];
    return Buffer.concat([signature, ...parts]).toString("base64");
}

function chunk(name: string, body: Buffer): Buffer {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length);
    // The stand-in does not look at checksums.
    return Buffer.concat([size, Buffer.from(name), body, Buffer.alloc(4)]);
}
