import { type NasLook, nasIssues } from "../../components/host/nasIssues";

const mount = { path: "/mnt/nas/ai", source: "nas:/ai", type: "nfs4", options: "ro" };
const good: NasLook = {
    user: "nvidia",
    mounted: "",
    users: [],
    mine: false,
    fits: false,
    hasFiles: false,
    mayBeRoot: true,
    hasHelper: true,
};

test.each<[string, Partial<NasLook>, readonly string[]]>([
    ["nothing there yet", {}, []],
    ["mounted by us, as wanted", { mounted: "nfs4 nas:/ai", mine: true, fits: true }, []],
    [
        "mounted by us and in use, as wanted",
        { mounted: "nfs4 nas:/ai", mine: true, fits: true, users: ["rank0"], mayBeRoot: false },
        [],
    ],
    ["mounted by someone else, the same", { mounted: "nfs4 nas:/ai", mayBeRoot: false }, []],
    [
        "another share of someone else",
        { mounted: "nfs4 old:/ai" },
        ["old:/ai is mounted at /mnt/nas/ai, not by this stack"],
    ],
    ["ours to be changed, not in use", { mounted: "nfs4 old:/ai", mine: true }, []],
    [
        "ours to be changed, in use",
        { mounted: "nfs4 old:/ai", mine: true, users: ["rank0", "webui"] },
        ["nas.manage has changed, and the share at /mnt/nas/ai is used by rank0, webui"],
    ],
    [
        "no root",
        { mayBeRoot: false },
        ["nvidia may not mount: not root, and sudo asks for a password"],
    ],
    [
        "files where it is to be mounted",
        { hasFiles: true },
        ["there are files in /mnt/nas/ai, which is not a mount: one would hide them"],
    ],
    ["no helper", { hasHelper: false }, ["there is nothing that mounts nfs4"]],
    ["no such server", { unknownServer: "nas" }, ["the name nas does not resolve"]],
])("%s", (_, change, expected) => {
    const issues = nasIssues("spark-2", mount, { ...good, ...change });
    expect(issues.map(({ problem }) => problem)).toEqual(expected);
    for (const { file, code, path } of issues) {
        expect([file, code, path]).toEqual(["spark-2", "nas", "nas-manage"]);
    }
});

test("without root, the lines to run are named", () => {
    const [issue] = nasIssues("spark-2", mount, { ...good, mayBeRoot: false });
    expect(issue?.fix).toBe(
        "on spark-2 `sudo mkdir -p /mnt/nas/ai && sudo mount -t nfs4 -o ro nas:/ai /mnt/nas/ai`: a share that is there is used; " +
            "or, to let nvidia do it, `echo 'nvidia ALL=(root) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/spark-vllm`",
    );
});
