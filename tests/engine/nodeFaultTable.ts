import { nodesWith } from "./nodeFaults";

export const one = "spark-1";
export const two = "spark-2";

const rdma = "/run/spark-lab/infiniband/rocep1s0f1/ports/1";
const hub = "/mnt/nas/ai/huggingface/hub/models--deepseek-ai--DeepSeek-V4-Flash-Vision-Exp";
const revision = "86f746b36186f0e567729a5c06a8c918caba82a9";
const snapshot = `${hub}/snapshots/${revision}`;
const main = `${hub}/refs/main`;
const listen = (port: number) =>
    `setsid perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0);setsockopt(S,SOL_SOCKET,SO_REUSEADDR,1);` +
    `bind(S,pack_sockaddr_in(${String(port)},INADDR_ANY))&&listen(S,9);sleep 300' >/dev/null 2>&1 </dev/null & echo $! >/run/listener`;
const hushed = "kill $(cat /run/listener)";

/** What is broken on a node, how it is mended, and what doctor must say. */
export interface Fault {
    readonly name: string;
    /** Where; default: the second node. */
    readonly on?: string;
    readonly break?: string;
    readonly mend?: string;
    readonly config?: () => Readonly<Record<string, unknown>>;
    /** `node code rule` of every error. */
    readonly errors: readonly string[];
    /** Words of the first error's message, and of its fix. */
    readonly says: string;
    readonly fix: string;
    /** Most seconds that doctor may take; default 15. */
    readonly within?: number;
}

/** Users of the second node for the faults of ssh. */
export const users = [
    'useradd -m -p "*" -s /bin/bash plain; useradd -m -p "*" -s /usr/sbin/nologin barred; useradd -m -p "*" -s /bin/bash keyless',
    "for u in plain barred; do install -d -o $u -g $u -m 700 /home/$u/.ssh; install -o $u -g $u -m 600 /root/.ssh/authorized_keys /home/$u/.ssh/; done",
].join("; ");
export const noUsers = "for u in plain barred keyless; do userdel -rf $u 2>/dev/null; done; true";

export const faults: readonly Fault[] = [
    // fabric
    {
        name: "the cable is out",
        break: "ip link set enp1s0f1np1 down; echo '1: DOWN' >" + `${rdma}/state`,
        mend: "ip link set enp1s0f1np1 up; echo '4: ACTIVE' >" + `${rdma}/state`,
        errors: [
            `${one} fabric fabric-peers`,
            `${two} fabric fabric-interface`,
            `${two} rdma rdma-port`,
        ],
        says: `${two} (`,
        fix: "check cables",
    },
    {
        name: "another address after a restart",
        break: "ip addr add 10.99.1.2/24 dev enp1s0f1np1; ip addr del $(ip -4 -o addr show dev enp1s0f1np1 | awk '$4 !~ /^10.99/ { print $4 }') dev enp1s0f1np1",
        mend: "ip addr flush dev enp1s0f1np1; ip addr add $LAB_FABRIC_IP/24 dev enp1s0f1np1",
        errors: [`${one} fabric fabric-peers`, `${two} fabric fabric-address`],
        says: "does not answer over enp1s0f1np1",
        fix: "check cables",
    },
    {
        name: "another MTU",
        break: "ip link set enp1s0f1np1 mtu 1500",
        mend: "ip link set enp1s0f1np1 mtu 9000",
        errors: [`${two} fabric fabric-mtu`],
        says: "enp1s0f1np1 has MTU 1500, the configuration says 9000",
        fix: "sudo ip link set enp1s0f1np1 mtu 9000",
    },
    {
        name: "a firewall that passes a ping",
        break: "iptables -A INPUT -i enp1s0f1np1 -p tcp --syn -j DROP",
        mend: "iptables -F INPUT",
        errors: [`${two} fabric fabric-tcp`],
        says: "does not open, though a ping passes: spark-1 to port",
        fix: "sudo ufw allow in on enp1s0f1np1",
    },
    {
        name: "a firewall that refuses",
        on: one,
        break: "iptables -A INPUT -i enp1s0f1np1 -p tcp --syn -j REJECT --reject-with tcp-reset",
        mend: "iptables -F INPUT",
        errors: [`${one} fabric fabric-tcp`],
        says: "29501 (refused)",
        fix: "sudo ufw allow in on enp1s0f1np1",
    },
    {
        name: "no RoCE v2 GID with an IPv4 address",
        break: `cp ${rdma}/gids/3 /run/gid; echo 0000:0000:0000:0000:0000:0000:0000:0000 >${rdma}/gids/3`,
        mend: `cat /run/gid >${rdma}/gids/3`,
        errors: [`${two} rdma rdma-gid`],
        says: "rocep1s0f1 has no RoCE v2 GID",
        fix: "give enp1s0f1np1 its IPv4 address anew",
    },
    {
        name: "no RDMA devices for containers",
        break: "mv /dev/infiniband /dev/gone",
        mend: "mv /dev/gone /dev/infiniband",
        errors: [`${two} rdma rdma-devices`],
        says: "/dev/infiniband holds nothing",
        fix: "sudo modprobe",
    },
    // mounts
    {
        name: "an empty directory in place of the NAS",
        break: "umount -l /mnt/nas/ai/huggingface",
        mend: "mount",
        errors: [`${two} nas nas-mounted`],
        says: "/mnt/nas/ai/huggingface is not a mount: an empty directory on",
        fix: "sudo mount /mnt/nas/ai/huggingface",
    },
    {
        name: "no directory in place of the NAS",
        break: "umount -l /mnt/nas/ai/huggingface; sleep 0.1; rmdir /mnt/nas/ai/huggingface",
        mend: "mount",
        errors: [`${two} nas nas-mounted`],
        says: "there is no such directory",
        fix: "sudo mount /mnt/nas/ai/huggingface",
    },
    ...(
        [
            ["a newline", `printf '${revision}\\n'`, "holds a newline (U+000A)"],
            ["CRLF", `printf '${revision}\\r\\n'`, "ends with CRLF (U+000D U+000A)"],
            ["nothing", "printf ''", "is empty"],
        ] as const
    ).map(([what, print, says]) => ({
        name: `refs/main with ${what}`,
        // Over the file of the NAS, so that only this node sees it.
        break: `${print} >/run/main; mount --bind /run/main ${main}`,
        mend: `umount ${main}`,
        errors: [`${two} weights weights-refs`],
        says,
        fix: "printf %s",
    })),
    {
        name: "a shard that was cut off",
        break:
            `f=$(readlink -f ${snapshot}/model-00007-of-00048.safetensors); head -c 4096 "$f" >/run/shard; ` +
            'truncate -s $(($(stat -c %s "$f") - 1)) /run/shard; mount --bind /run/shard "$f"',
        mend: `umount "$(readlink -f ${snapshot}/model-00007-of-00048.safetensors)"`,
        errors: [`${two} weights weights-whole`],
        says: "model-00007-of-00048.safetensors has",
        fix: "set weights.prefetch: true, or on spark-2: `docker run --rm ",
    },
    {
        name: "links that lead nowhere",
        break: `mount -t tmpfs none ${hub}/blobs`,
        mend: `umount ${hub}/blobs`,
        errors: [`${two} weights weights-links`],
        says: "lead nowhere",
        fix: "set weights.prefetch: true, or on spark-2: `docker run --rm ",
    },
    {
        name: "a file in place of a cache directory",
        break: "mkdir -p /root/.cache && mv /root/.cache /root/.cache.away; touch /root/.cache",
        mend: "rm -f /root/.cache; mv /root/.cache.away /root/.cache",
        errors: ["triton", "flashinfer", "vllm"].map(() => `${two} bad-mount cache-writable`),
        says: "/root/.cache/dsv4vision-jit/triton",
        fix: "after moving away",
    },
    // what the ranks need
    {
        name: "a stranger on the API's port",
        on: one,
        break: listen(8000),
        mend: hushed,
        errors: [`${one} port-taken api-port`],
        says: "port 8000 is held by perl (process",
        fix: "choose another api.port",
    },
    {
        name: "a stranger on the rendezvous port",
        on: one,
        break: listen(29501),
        mend: hushed,
        errors: [`${one} port-taken master-port`],
        says: "port 29501 is held by perl (process",
        fix: "choose another masterPort",
    },
    {
        name: "a stranger with our rank's name",
        break: "docker create --name dsv4-flash-vision-rank1 spark-lab-engine-base:13",
        mend: "docker rm -f dsv4-flash-vision-rank1",
        errors: [`${two} docker container-name`],
        says: "dsv4-flash-vision-rank1 (image spark-lab-engine-base:13) is there and not this stack's",
        fix: "docker rm -f dsv4-flash-vision-rank1",
    },
    {
        name: "too little memory",
        break: "bash -c '. /usr/local/lib/spark/memory.sh; memory 40'",
        mend: "bash -c '. /usr/local/lib/spark/memory.sh; memory 102'",
        errors: [`${two} memory memory-share`],
        says: "40.0 GiB of memory are available, the engine wants 97.4 GiB",
        fix: "lower --gpu-memory-utilization to 0.32",
    },
    {
        name: "a small /dev/shm",
        break: "mount -t tmpfs -o size=64m tmpfs /dev/shm",
        mend: "umount /dev/shm",
        errors: [`${two} memory shared-memory`],
        says: "/dev/shm has 0.1 GiB free",
        fix: "mount -o remount,size=8g /dev/shm",
    },
    {
        name: "an image for another machine",
        config: () => ({ image: { dir: "stand-in", platform: "linux/arm64" } }),
        errors:
            process.arch === "arm64"
                ? []
                : [one, two].map((node) => `${node} architecture image-platform`),
        says: "the image is for linux/arm64, spark-1 is amd64",
        fix: "set image.platform to linux/amd64",
    },
    // Docker and ssh
    {
        name: "docker off the PATH of a command over ssh",
        break: "mkdir -p /opt/bin; mv /usr/bin/docker /opt/bin/docker",
        mend: "mv /opt/bin/docker /usr/bin/docker; rmdir /opt/bin",
        errors: [`${two} docker docker-on-path`],
        says: "docker is at /opt/bin/docker, which is not on that PATH",
        fix: "sudo ln -s /opt/bin/docker /usr/local/bin/docker",
    },
    {
        name: "dockerd down",
        break: "mv /var/run/docker.sock /var/run/docker.away",
        mend: "mv /var/run/docker.away /var/run/docker.sock",
        errors: [`${two} docker docker-running`],
        says: "dockerd does not answer: Cannot connect to the Docker daemon",
        fix: "systemctl start docker",
    },
    {
        name: "a user without the docker group",
        break: users,
        mend: noUsers,
        config: () => ({
            nodes: nodesWith({ host: "plain@spark-2", home: "/home/plain" }),
        }),
        errors: [`${two} docker docker-access`],
        says: "plain has no access to Docker's socket (root:docker 660)",
        fix: "sudo usermod -aG docker plain",
    },
    {
        name: "a login shell that prints lines",
        break: "printf 'echo Welcome; echo to the node >&2\\n' >/root/.bashrc",
        mend: "rm /root/.bashrc",
        errors: [],
        says: "",
        fix: "",
    },
];
