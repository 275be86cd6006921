/** What a node's Docker says of an image with our label. */
export interface KeptImage {
    readonly id: string;
    readonly tags: readonly string[];
    /** `repository@sha256:…`: where it was pulled from, and with containerd's store of all that has a tag. */
    readonly digests: readonly string[];
    /** Label `spark-vllm.context`. */
    readonly context: string;
    readonly created: string;
    readonly bytes: number;
}

/** The tags that this program gave: `name:tag-<12 digits of the label>`, and `name:tag` beside it. */
export function ownTags({ tags, context }: KeptImage): readonly string[] {
    const suffix = `-${context.slice(0, 12)}`;
    const built = tags.filter((tag) => context !== "" && tag.endsWith(suffix));
    const plain = built.map((tag) => tag.slice(0, -suffix.length));
    return tags.filter((tag) => built.includes(tag) || plain.includes(tag));
}

/** Under which a killed transfer left it (ship/take.sh). */
const shipName = /^127\.0\.0\.1:\d+\/spark-vllm-ship\//;

/** Names in words: an id says nothing, and in a killed transfer's name stands a token. */
export function shownNames(names: readonly string[]): string {
    const words = names.map((name) => {
        if (shipName.test(name)) return "left by a transfer that was killed";
        const id = /^sha256:(\w{12})/.exec(name)?.[1];
        return id === undefined ? name : `${id}, which lost its name to a later build`;
    });
    return words.join(", ");
}

/**
 * What `docker rmi` has to be told so that all that is ours of an image goes: tags, or the id of one that was built here
 * and lost its tags to a later build of the same content. Empty: it is someone else's.
 */
export function ownNames(image: KeptImage): readonly string[] {
    const { id, tags, digests, context } = image;
    if (context !== "" && tags.length === 0 && digests.length === 0) return [id];
    return [...ownTags(image), ...digests.filter((name) => shipName.test(name))];
}
