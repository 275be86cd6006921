import { groupNames, nodeNames } from "../../components/plan/names";
import { problems, second } from "../cluster/configFixture";

const { provider, image, nas, caches, rank } = nodeNames("a");

test.each([...Object.values(groupNames), provider, image, nas, caches, rank])(
    "no node can be called %s",
    (name) => {
        expect(problems(second({ name }))).toEqual([
            `nodes[1].name: "${name}" is a name of the program's own`,
        ]);
    },
);
