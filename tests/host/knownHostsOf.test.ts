import os from "node:os";
import { knownHostsOf } from "../../components/host/trustedHostKey";

const home = os.userInfo().homedir;
const files = { userknownhostsfile: "~/.ssh/a /b", globalknownhostsfile: "/dev/null /etc/c" };

test.each([
    [{ hostname: "10.0.0.1", port: "22" }, "10.0.0.1"],
    [{ hostname: "10.0.0.1", port: "2222" }, "[10.0.0.1]:2222"],
    [{ hostname: "10.0.0.1", port: "2222", hostkeyalias: "spark" }, "spark"],
])("where ssh looks for %j", (settings, name) => {
    expect(knownHostsOf(new Map(Object.entries({ ...settings, ...files })))).toEqual({
        name,
        files: [`${home}/.ssh/a`, "/b", "/etc/c"],
    });
});
