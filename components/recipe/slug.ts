/** Longest slug: with `-rank12` behind it a container name stays within a DNS label. */
const maxLength = 48;

/**
 * A recipe's name for container names and labels, from the folder that holds the file: small letters, digits, `.`, `_`
 * and `-`, two characters or more.
 */
export function slugOf(file: string): string {
    const parts = file.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
    const base = parts.at(-1) ?? "";
    const name = base === "recipe.toml" ? (parts.at(-2) ?? "recipe") : base.replace(/\.toml$/i, "");
    const slug = name
        .normalize("NFKD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .replace(/[^a-z0-9._-]+/g, "-")
        .replace(/^[^a-z0-9]+/, "")
        .slice(0, maxLength)
        .replace(/[^a-z0-9]+$/, "");
    return slug.length >= 2 ? slug : `recipe-${slug}`.replace(/-$/, "");
}
