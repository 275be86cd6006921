import { inflateSync } from "node:zlib";

import { solidPng } from "../../../components/host/smoke/solidPng";

test("a PNG with right checksums", () => {
    const png = solidPng(2, [255, 0, 1]);
    expect(png.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
    // The checksum of an empty IEND is the same in every PNG.
    expect(png.subarray(-8).toString("hex")).toBe("49454e44ae426082");
    const size = png.readUInt32BE(33);
    expect(png.subarray(37, 41).toString()).toBe("IDAT");
    expect(inflateSync(png.subarray(41, 41 + size)).toString("hex")).toBe(
        "00ff0001ff000100ff0001ff0001",
    );
});
