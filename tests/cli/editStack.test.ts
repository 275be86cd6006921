import { readFileSync } from "node:fs";
import { editStack } from "../../cli/editStack";
import type { Difference } from "../../components/cluster";

const example = readFileSync("Pulumi.spark.yaml", "utf8");

function difference(index: number, key: string, to: Difference["to"]): Difference {
    return { index, node: "", key: key.split("."), from: undefined, to, needed: true };
}

/** Lines that are only in the one and only in the other, in order. */
function changes(before: string, after: string) {
    const [a, b] = [before.split("\n"), after.split("\n")];
    return {
        gone: a.filter((line) => !b.includes(line)),
        come: b.filter((line) => !a.includes(line)),
    };
}

test("nothing to write leaves every byte", () => {
    expect(editStack(example, [])).toBe(example);
});

test("in the example only the lines meant change, and keep their comments", () => {
    const edited = editStack(example, [
        difference(0, "hostKey", "ssh-ed25519 AAAA"),
        difference(0, "fabric.hcas", ["rocep1s0f1", "roceP2p1s0f1"]),
        difference(1, "fabric.address", "10.0.0.7"),
        difference(1, "home", "/srv/b"),
    ]);
    expect(changes(example, edited)).toEqual({
        gone: ["        address: 192.168.100.2 # <-"],
        come: [
            "      hostKey: ssh-ed25519 AAAA",
            "        hcas: [rocep1s0f1, roceP2p1s0f1] # <-",
            "      home: /srv/b",
            "        address: 10.0.0.7 # <-",
        ],
    });
});

const bare = `config:
    spark-vllm:recipe: x # keep
    # two
    spark-vllm:nodes:
        - host: spark-a
          name: a
        - name: b # b
          host: b
          fabric: ~
encryptionsalt: v1:abc
`;

const fabric = (index: number) => [
    difference(index, "fabric.address", "10.0.0.1"),
    difference(index, "fabric.interface", "enp1s0f1np1"),
    difference(index, "fabric.hcas", ["rocep1s0f1"]),
    difference(index, "fabric.mtu", 9000),
];

test("a fabric that is not there yet is written in the file's own style, line ends included", () => {
    const block = `          fabric:
              address: 10.0.0.1
              interface: enp1s0f1np1
              hcas: [rocep1s0f1]
              mtu: 9000
`;
    const wanted = `config:
    spark-vllm:recipe: x # keep
    # two
    spark-vllm:nodes:
        - host: spark-a
          name: a
${block}        - name: b # b
          host: b
          home: /home/b
${block}encryptionsalt: v1:abc
`;
    const all = [...fabric(0), ...fabric(1), difference(1, "home", "/home/b")];
    expect(editStack(bare, all)).toBe(wanted);
    expect(editStack(bare.replaceAll("\n", "\r\n"), all)).toBe(wanted.replaceAll("\n", "\r\n"));
});

test("nodes as JSON text, as `pulumi config set` writes them, become a list", () => {
    const text = `config:\n  spark-vllm:nodes: '[{"name":"a","host":"b","fabric":{"mtu":1500}}]'\n`;
    expect(editStack(text, [difference(0, "fabric.mtu", 9000)])).toBe(
        [
            "config:",
            "  spark-vllm:nodes:",
            "    - name: a",
            "      host: b",
            "      fabric:",
            "        mtu: 9000",
            "",
        ].join("\n"),
    );
});
