import type { Issue } from "../issue";
import type { NasMountPlan } from "../plan";

/** What nas.sh saw on a node. */
export interface NasLook {
    /** The login user. */
    readonly user: string;
    /** `TYPE SOURCE` of what is mounted there; empty: nothing. */
    readonly mounted: string;
    /** Running containers that use the share. */
    readonly users: readonly string[];
    /** Whether this group made a mount here. */
    readonly mine: boolean;
    /** Whether what it made is what the configuration says now. */
    readonly fits: boolean;
    /** Whether files lie where the share is to be mounted. */
    readonly hasFiles: boolean;
    readonly mayBeRoot: boolean;
    readonly hasHelper: boolean;
    /** The server's name, when it does not resolve. */
    readonly unknownServer?: string;
}

const packages: Readonly<Record<string, string>> = {
    nfs: "nfs-common",
    nfs4: "nfs-common",
    cifs: "cifs-utils",
    smb3: "cifs-utils",
    "fuse.sshfs": "sshfs",
};

type Text = Pick<Issue, "problem" | "expected" | "fix">;
type Look = (node: string, mount: NasMountPlan, look: NasLook) => Text | undefined;

const inUse: Look = (_, { path }, { mine, users }) =>
    mine && users.length > 0
        ? {
              problem: `nas.manage has changed, and the share at ${path} is used by ${users.join(", ")}`,
              expected: "a share that nothing uses: running ranks keep the mount they started with",
              fix: "`pulumi destroy`, then `pulumi up`; or put nas.manage back",
          }
        : undefined;

const filesInTheWay: Look = (node, { path }, { hasFiles }) =>
    hasFiles
        ? {
              problem: `there are files in ${path}, which is not a mount: one would hide them`,
              expected: "an empty directory, or none",
              fix: `move them away on ${node}, or leave nas.manage out`,
          }
        : undefined;

const mayMount: Look = (node, { path, source, type, options }, { mayBeRoot, user }) => {
    if (mayBeRoot) return undefined;
    const given = options === "" ? "" : `-o ${options} `;
    const byHand = `sudo mkdir -p ${path} && sudo mount -t ${type} ${given}${source} ${path}`;
    const sudoers = `echo '${user} ALL=(root) NOPASSWD: ALL' | sudo tee /etc/sudoers.d/spark-vllm`;
    return {
        problem: `${user} may not mount: not root, and sudo asks for a password`,
        expected: "root, or sudo without a password (nas.manage)",
        fix: `on ${node} \`${byHand}\`: a share that is there is used; or, to let ${user} do it, \`${sudoers}\``,
    };
};

const canMount: Look = (node, { type }, { hasHelper }) => {
    if (hasHelper) return undefined;
    const from = packages[type];
    return {
        problem: `there is nothing that mounts ${type}`,
        expected: "the file system's mount helper",
        fix: from === undefined ? "install it" : `\`sudo apt-get install ${from}\` on ${node}`,
    };
};

const serverHasName: Look = (_, __, { unknownServer }) =>
    unknownServer === undefined
        ? undefined
        : {
              problem: `the name ${unknownServer} does not resolve`,
              expected: "the server of nas.manage.source",
              fix: "correct nas.manage.source, or use the server's address",
          };

const looks: readonly Look[] = [inUse, filesInTheWay, mayMount, canMount, serverHasName];

/** What stands in the way of the mount that the configuration asks for; nothing has been changed yet. */
export function nasIssues(node: string, mount: NasMountPlan, look: NasLook): readonly Issue[] {
    return problems(node, mount, look).map((text) => ({
        code: "nas",
        severity: "error",
        file: node,
        path: "nas-manage",
        ...text,
    }));
}

function problems(node: string, mount: NasMountPlan, look: NasLook): readonly Text[] {
    if (look.mounted !== "" && !look.mine) return foreign(node, mount, look.mounted);
    if (look.mounted !== "" && look.fits) return [];
    return looks.flatMap((each) => each(node, mount, look) ?? []);
}

/** What someone else mounted is used when it is the share that was asked for, and never replaced. */
function foreign(node: string, { path, source }: NasMountPlan, mounted: string): readonly Text[] {
    const [, there = ""] = mounted.split(" ");
    if (there === source) return [];
    return [
        {
            problem: `${there} is mounted at ${path}, not by this stack`,
            expected: `${source} (nas.manage.source), or nothing`,
            fix: `\`sudo umount ${path}\` on ${node}, or correct nas.manage`,
        },
    ];
}
