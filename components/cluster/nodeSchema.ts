import * as z from "zod";
import { count, field, flag } from "./field";
import * as patterns from "./patterns";

/** A new schema each time: a description belongs to one field. */
const text = () => z.string();

const fabricSchema = field(
    z.strictObject({
        address: field(text().regex(patterns.ipv4), {
            description: "IPv4 address of this node on the fabric",
            expected: "an IPv4 address on the fabric, e.g. 10.100.9.1",
            fix: "the fabric carries the ranks' traffic, ssh uses `host`; `ip addr` on the node shows it",
        }),
        interface: field(text().regex(patterns.interfaceName), {
            description: "network interface that carries the address",
            expected: "a network interface of this node, e.g. enp1s0f1np1",
        }),
        hcas: field(
            z
                .array(
                    field(text().regex(patterns.rdmaDevice), {
                        description: "an RDMA device",
                        expected: "an RDMA device of this node without a port, e.g. rocep1s0f1",
                    }),
                )
                .min(1),
            {
                description: "RDMA devices that lead to the other nodes",
                expected: "a list of this node's RDMA devices, e.g. [rocep1s0f1]",
            },
        ),
        mtu: count(1280, 9216, "bytes", "MTU of the interface, equal on all nodes (9000 wanted)"),
    }),
    {
        description: "what leads to the other nodes: needed when the recipe has more than one",
        expected: "the keys address, interface, hcas and mtu",
        fix: "`npm run spark -- discover --stack NAME --write` finds and writes them",
    },
);

const mountSchema = field(
    z.strictObject({
        host: field(
            text().refine(
                (v) => v === "~" || patterns.absolutePath.test(v.replace(/^~(?=\/)/, "")),
            ),
            {
                description: "directory on the node; `~` is the login user's home there",
                expected: "an absolute path, ~ or ~/…",
            },
        ),
        container: field(text().regex(patterns.absolutePath), {
            description: "directory in the container",
            expected: "an absolute path",
        }),
        env: field(text().regex(patterns.variableName), {
            description: "variable that is set to `container`",
            expected: "a variable's name, e.g. HF_HOME",
        }).optional(),
        read_only: flag("mount without write access").default(false),
    }),
    {
        description: "a directory",
        expected: "the keys host and container, optional env and read_only, as in a recipe",
    },
);

/** One entry of `nodes`. */
export const nodeSchema = field(
    z.strictObject({
        name: field(text().regex(patterns.nodeName), {
            description:
                "part of the names of this node's resources: keep it when the machine stays",
            expected: "small letters, digits and dashes, at most 40, e.g. spark-1",
        }),
        host: field(text().regex(patterns.destination), {
            description: "ssh destination: `user@name`, `user@name:port` or an alias of ssh_config",
            expected: "user@name, user@name:port or an alias of your ssh_config",
            fix: "for anything else (IPv6, jump host, other key) write a Host block into ssh_config and name its alias here",
        }),
        hostKey: field(text().regex(patterns.hostKey), {
            description: "public host key that the node must show; else your known_hosts decide",
            expected: "key type and key, e.g. ssh-ed25519 AAAA…",
            fix: "copy the two words from /etc/ssh/ssh_host_ed25519_key.pub of that node",
        }).optional(),
        home: field(text().regex(patterns.absolutePath), {
            description: "home of the login user on the node; /root or /home/USER of `host`",
            expected: "an absolute path without a slash at the end, e.g. /home/nvidia",
            fix: "ssh HOST 'echo $HOME' prints it",
        }).optional(),
        fabric: fabricSchema.optional(),
        env: field(
            z.record(
                text().regex(patterns.variableName),
                field(text(), {
                    description: "a value",
                    expected: "text(), in quotes if it looks like a number or true",
                    secret: true,
                }),
            ),
            {
                description: "environment variables added on this node alone",
                expected: "variables, as NAME: value",
            },
        ).default({}),
        mounts: field(z.array(mountSchema), {
            description: "mounts added on this node alone",
            expected: "a list of mounts",
        }).default([]),
        spare: flag("a machine that may take a failed one's place; not counted").default(false),
    }),
    { description: "a machine", expected: "the keys name and host, optional fabric and others" },
);
