import { randomBytes } from "node:crypto";

import { runScript } from "../../components/host";
import { labConfig, onNode } from "./lab";
import pushScript from "./push.sh";
import registryScript from "./registry.sh";

/** A registry on a simulated node, behind a login, that others of the lab's nodes trust. */
export interface Registry {
    /** `172.30.0.13:5000`. */
    readonly server: string;
    readonly username: string;
    readonly password: string;
    /** `user:password` as a client's configuration holds it. */
    readonly auth: string;
    /** Puts an image of the registry's node there under a name and a tag; gives its digest. */
    readonly push: (local: string, name: string) => Promise<string>;
    readonly stop: () => Promise<void>;
}

/** Starts one; `trusting` are the nodes that will pull. */
export async function startRegistry(host: string, trusting: readonly string[]): Promise<Registry> {
    const node = { name: host, ssh: { destination: host, config: configFile() } };
    const line = 'ip -4 -o addr show eth0 | awk \'{ sub("/.*", "", $4); print $4 }\'';
    const server = `${await onNode(host, line)}:5000`;
    const password = `marker-${randomBytes(8).toString("hex")}`;
    const auth = Buffer.from(`robot:${password}`).toString("base64");
    const run = async (script: string, args: readonly string[], input: string) => {
        const result = await runScript(node, script, { args, input, timeoutSeconds: 120 });
        if (result.code !== 0) throw new Error(result.stderr);
        return result.stdout.trimEnd();
    };
    const certificate = await run(registryScript, [server.replace(/:.*/, "")], `${password}\n`);
    const folder = `/etc/docker/certs.d/${server}`;
    const trust = (name: string) =>
        onNode(name, `mkdir -p ${folder} && echo '${certificate}' > ${folder}/ca.crt`);
    await Promise.all([host, ...trusting].map(trust));
    const client = JSON.stringify({ auths: { [server]: { auth } } });
    return {
        ...{ server, username: "robot", password, auth },
        push: (local, name) => run(pushScript, [local, name, server], client),
        stop: async () => {
            const kept = "cd /var/lib/spark/registry && kill $(cat pid) && rm -r data htpasswd";
            await onNode(host, kept);
            await Promise.all([host, ...trusting].map((name) => onNode(name, `rm -r ${folder}`)));
        },
    };
}

function configFile(): string {
    return labConfig()["sshConfig"] as string;
}
