/** Four decimal numbers without leading zeros. */
export const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The part of every logical name; also valid in container names and labels. */
export const nodeName = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** A Linux network interface: at most 15 bytes. */
export const interfaceName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}$/;

/** An RDMA device as in /sys/class/infiniband; no port, no NCCL prefix. */
export const rdmaDevice = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;

/** An absolute path without `.`, `..`, empty parts, or characters that a bind mount cannot hold. */
export const absolutePath = /^\/(?:(?!\.{1,2}(?:\/|$))[^/:,\p{C}]+(?:\/(?!$)|$))+$/u;

/** An environment variable's name. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A commit of the model hub. */
export const commit = /^[0-9a-f]{40}$/;

/** `user@name`, `user@name:port` or an alias of ssh_config. */
export const destination =
    /^(?:(?<user>[A-Za-z0-9_][A-Za-z0-9_.-]*)@(?<name>[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::(?<port>[1-9]\d{0,4}))?|(?<alias>[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?))$/;

/** Key type and base64 key, as in known_hosts behind the host's name. */
export const hostKey =
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) [A-Za-z0-9+/]{40,}={0,2}$/;

/** A container image's name with an optional tag and digest. */
export const imageReference =
    /^[a-z0-9]+(?:[._-][a-z0-9]+|:\d+(?=\/)|\/[a-z0-9]+)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/** A registry, or the beginning of names in one: host, perhaps a port, perhaps a path. */
export const registryPath =
    /^(?=[^/]*[.:]|localhost(?:\/|$))[A-Za-z0-9][A-Za-z0-9.-]*(?::[1-9]\d{0,4})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/;
