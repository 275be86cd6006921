const zlib = require("node:zlib");

/** A PNG of one colour (8 bits a sample, RGB), as a data: URL. */
function pngUrl(width, height, colour) {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    // 8 bits, colour type 2 (RGB); compression, filter and interlacing are 0.
    header.set([8, 2], 8);
    const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))]);
    const pixels = Buffer.concat(Array.from({ length: height }, () => row));
    const png = Buffer.concat([
        Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
        chunk("IHDR", header),
        chunk("IDAT", zlib.deflateSync(pixels)),
        chunk("IEND", Buffer.alloc(0)),
    ]);
    return `data:image/png;base64,${png.toString("base64")}`;
}

function chunk(name, body) {
    const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(body.length);
    sum.writeUInt32BE(crc(named));
    return Buffer.concat([length, named, sum]);
}

function crc(bytes) {
    let value = 0xffffffff;
    for (const byte of bytes) {
        value ^= byte;
        for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    }
    return ~value >>> 0;
}

module.exports = { pngUrl };
