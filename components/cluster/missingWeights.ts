import { type Context, type Finding, finding, warning } from "./rulesContext";

/** The command for a download by hand: the prefetch in one line. */
function download({ plan, node }: Context): string {
    const { id, revision } = plan.model;
    const home = node.rank.mounts.find(({ kind }) => kind === "weights")?.hostPath ?? "HUB";
    const pinned = revision === undefined ? "" : `, revision='${revision}'`;
    const options = `--rm --network host -e HF_HUB_OFFLINE=0 -e HF_HOME=/hub -v ${home}:/hub --entrypoint python3`;
    const call = `from huggingface_hub import snapshot_download; snapshot_download('${id}'${pinned})`;
    return `set weights.prefetch: true, or on ${node.name}: \`docker run ${options} ${plan.image.tag} -c "${call}"\``;
}

/** What a download mends: a note when the program is going to make one. */
export function missing(context: Context, problem: string, expected: string): readonly Finding[] {
    if (!context.plan.weights.prefetch)
        return finding("weights", problem, expected, download(context));
    const comes = "`pulumi up` fetches it (weights.prefetch)";
    return warning(finding("weights", problem, expected, comes));
}
