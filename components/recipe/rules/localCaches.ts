import type { Finding } from "../finding";
import { isKernelCache, isKernelCacheVariable } from "../kernelCaches";
import { show } from "../show";
import { mountsOf, type IndexedMount } from "./mounts";
import type { Rule } from "./rule";

/** Hubs lie on a share or a disk for all; what stands beside one below the same mount point is as far away. */
function shareOf(host: string): string | undefined {
    return /^\/(?:mnt|media|net|nfs|export|exports|srv|volumes?)\/[^/]+/.exec(host)?.[0];
}

const namedLikeShare = /(?:^|\/)(?:nas|nfs|smb|cifs|sshfs)\d*(?:[-_.][^/]*)?(?:\/|$)/i;

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

function isRemote(host: string | undefined, mounts: readonly IndexedMount[]): boolean {
    if (host === undefined || host.startsWith("~")) return false;
    const hub = mounts.find(({ env }) => env === "HF_HOME")?.host;
    const share = hub === undefined ? undefined : shareOf(hub);
    return namedLikeShare.test(host) || (share !== undefined && within(host, share));
}

function ofMount(mount: IndexedMount, mounts: readonly IndexedMount[]): readonly Finding[] {
    const { i, host = "?", container = "?", readOnly } = mount;
    const remote: Finding = {
        code: "bad-mount",
        at: ["extra_mounts", i, "host"],
        problem: `the kernel cache ${container} would lie on a network share: ${show(host)}`,
        expected: "a directory of the node itself",
        fix: 'write e.g. "~/.cache/NAME"',
    };
    const sealed: Finding = {
        code: "bad-mount",
        at: ["extra_mounts", i, "read_only"],
        problem: `the kernel cache ${container} is read_only`,
        expected: "a cache that the engine can write",
        fix: "remove read_only",
    };
    return [...(isRemote(host, mounts) ? [remote] : []), ...(readOnly ? [sealed] : [])];
}

/** A cache that a variable puts below a mount. */
function ofVariable(
    name: string,
    value: string | undefined,
    mounts: readonly IndexedMount[],
): readonly Finding[] {
    if (!isKernelCacheVariable(name) || value === undefined) return [];
    const mount = mounts.find(
        ({ container }) => container !== undefined && within(value, container),
    );
    if (mount === undefined || !isRemote(mount.host, mounts)) return [];
    return [
        {
            code: "bad-mount",
            at: ["env", name],
            problem: `the kernel cache of ${name} would lie on a network share: ${show(mount.host ?? "?")}`,
            expected: "a directory of the node itself",
            fix: "mount one below ~/ and name that",
        },
    ];
}

/** Kernel caches lock and rename their files, which breaks on a network share; a read-only one cannot be filled. */
export const localCaches: Rule = (draft) => {
    const mounts = mountsOf(draft);
    return [
        ...mounts.filter(isKernelCache).flatMap((mount) => ofMount(mount, mounts)),
        ...draft.env.flatMap(([name, value]) => ofVariable(name, value, mounts)),
    ];
};
