import { clientConfig } from "../../components/host/pullImage";

test.each([
    ["docker.io", "https://index.docker.io/v1/"],
    ["registry.example:5000", "registry.example:5000"],
])("the login of %s stands under %s", (server, key) => {
    const auth = Buffer.from("me:pass:word").toString("base64");
    expect(clientConfig({ server, username: "me" }, "pass:word")).toEqual({
        auths: { [key]: { auth } },
    });
});
