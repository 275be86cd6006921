import { pullIssue } from "../../components/host/pullIssue";

const login = { server: "nas:5000", username: "robot" };

test.each([
    [
        "Error response from daemon: Head …: no basic auth credentials",
        undefined,
        "image",
        "set image.registry and the secret registryPassword",
    ],
    [
        "Error response from daemon: unauthorized: authentication required",
        login,
        "image",
        "check image.registry, and set the secret registryPassword anew",
    ],
    [
        "Error response from daemon: manifest for nas:5000/a:1 not found: manifest unknown",
        undefined,
        "image",
        "`docker buildx imagetools inspect nas:5000/a:1` shows what is there",
    ],
    [
        "no matching manifest for linux/amd64 in the manifest list entries",
        undefined,
        "architecture",
        "take the digest of an image for that platform, or correct image.platform",
    ],
    [
        "no match for platform in manifest sha256:0123: not found",
        undefined,
        "architecture",
        "take the digest of an image for that platform, or correct image.platform",
    ],
    [
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
        undefined,
        "image",
        "put its certificate into /etc/docker/certs.d/<registry>/ca.crt on the node",
    ],
    [
        "write /var/lib/docker/tmp/x: no space left on device",
        undefined,
        "disk",
        "`docker system df` shows what takes the room, `docker image prune` frees some",
    ],
    [
        "dial tcp: lookup nas: no such host",
        undefined,
        "image",
        "try `docker pull` there; image.mirrors leads to a registry that it reaches",
    ],
])("%s", (said, known, code, fix) => {
    expect(pullIssue("spark-1", "nas:5000/a:1", `first line\n${said}\n`, known)).toMatchObject({
        code,
        file: "spark-1",
        problem: `nas:5000/a:1 could not be pulled: ${said}`,
        fix,
    });
});
