import { deflateSync } from "node:zlib";

/** A PNG of one colour, 8 bits a sample. */
export function solidPng(
    side: number,
    [red, green, blue]: readonly [number, number, number],
): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(side, 0);
    header.writeUInt32BE(side, 4);
    header.set([8, 2, 0, 0, 0], 8); // RGB, no interlacing
    const row = Buffer.concat([
        Buffer.from([0]),
        ...Array.from({ length: side }, () => Buffer.from([red, green, blue])),
    ]);
    const pixels = Buffer.concat(Array.from({ length: side }, () => row));
    return Buffer.concat([
        Buffer.from("89504e470d0a1a0a", "hex"),
        chunk("IHDR", header),
        chunk("IDAT", deflateSync(pixels)),
        chunk("IEND", Buffer.alloc(0)),
    ]);
}

function chunk(name: string, body: Buffer): Buffer {
    const named = Buffer.concat([Buffer.from(name), body]);
    const framed = Buffer.alloc(named.length + 8);
    framed.writeUInt32BE(body.length, 0);
    named.copy(framed, 4);
    framed.writeUInt32BE(crc32(named), named.length + 4);
    return framed;
}

/** CRC-32 as PNG wants it; Node's own is newer than the oldest Node this runs on. */
function crc32(bytes: Buffer): number {
    let crc = 0xffffffff;
    for (const byte of bytes) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return (crc ^ 0xffffffff) >>> 0;
}
