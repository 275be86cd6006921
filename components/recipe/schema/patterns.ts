/** Docker's grammar: registry, path, tag and digest; the repository in small letters. */
export const imageReference =
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/;

/** A folder below docker-images/, never above it. */
export const folder = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;

/** `org/model`, a legacy id without an owner, or a path in the container. */
export const model = /^(?:[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?|(?:\/[\w.@+-]+)+)$/;

/** A commit of git. */
export const commit = /^[0-9a-f]{40}$/;

/** Docker's units, powers of 1024. */
export const size = /^[1-9][0-9]*(?:[bB]|[kKmMgG][bB]?)$/;

/** What a shell takes for a variable's name. */
export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
