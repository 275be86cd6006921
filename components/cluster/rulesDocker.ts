import { finding, isOwn, nothing, type Rule, sudo } from "./rulesContext";

const onPath: Rule = {
    id: "docker-on-path",
    check: ({ facts: { docker, user } }) => {
        if (docker.path !== "") return nothing;
        const expected = "`docker` on the PATH of a command over ssh";
        if (docker.elsewhere === "") {
            return finding(
                "docker",
                `there is no docker command for ${user}`,
                expected,
                "install Docker, or put its folder on that PATH (/etc/environment)",
            );
        }
        return finding(
            "docker",
            `docker is at ${docker.elsewhere}, which is not on that PATH`,
            expected,
            `\`sudo ln -s ${docker.elsewhere} /usr/local/bin/docker\``,
        );
    },
};

const isRefused = (error: string) => /permission denied/i.test(error);

const access: Rule = {
    id: "docker-access",
    after: ["docker-on-path"],
    check: ({ facts: { docker, user }, node }) =>
        docker.error === undefined || !isRefused(docker.error)
            ? nothing
            : finding(
                  "docker",
                  `${user} has no access to Docker's socket (${docker.socket || "unknown owner"})`,
                  "a login user of the docker group",
                  `\`sudo usermod -aG docker ${user}\` on the node, then ` +
                      `wait a minute or end its connections (\`pkill -u ${user} sshd\`); ` +
                      `check with \`ssh ${node.ssh.destination} docker ps\``,
              ),
};

const running: Rule = {
    id: "docker-running",
    after: ["docker-on-path", "docker-access"],
    check: (context) => {
        const { error, version } = context.facts.docker;
        if (error === undefined || isRefused(error)) return nothing;
        const said = error.trim().split("\n").at(-1) ?? "";
        if (version !== undefined) {
            return finding(
                "docker",
                `dockerd answers, but does not tell which containers there are: ${said}`,
                "`docker ps -a` to list them",
                `\`ssh ${context.node.ssh.destination} docker ps -a\`; the daemon's log: \`journalctl -u docker\``,
            );
        }
        return finding(
            "docker",
            `dockerd does not answer: ${said}`,
            "a running Docker daemon",
            `\`${sudo(context, "systemctl start docker")}\`; its log: \`journalctl -u docker\``,
        );
    },
};

const gpu: Rule = {
    id: "docker-gpu",
    after: ["docker-on-path", "docker-access", "docker-running"],
    check: ({ facts: { docker } }) =>
        docker.gpuHook !== "" || docker.runtimes.includes("nvidia")
            ? nothing
            : finding(
                  "docker",
                  "Docker cannot give out GPUs: no NVIDIA container runtime",
                  "the NVIDIA Container Toolkit",
                  "install nvidia-container-toolkit, then `sudo systemctl restart docker`",
              ),
};

const name: Rule = {
    id: "container-name",
    after: ["docker-on-path", "docker-access", "docker-running", "other-group"],
    check: (context) => {
        const { containerName } = context.node.rank;
        const holder = context.facts.docker.containers.find((each) => each.name === containerName);
        if (holder === undefined || isOwn(context, holder)) return nothing;
        const whose = holder.owner === undefined ? `image ${holder.image}` : `of ${holder.owner}`;
        return finding(
            "docker",
            `a container ${containerName} (${whose}) is there and not this stack's`,
            "the name to be free",
            `if nobody needs it: \`docker rm -f ${containerName}\` on ${context.node.name}`,
        );
    },
};

export const dockerRules: readonly Rule[] = [onPath, access, running, gpu, name];
