import { decideTransfers } from "../../../components/host/weights/decideTransfers";

const nodes = ["a", "b", "c"];

test.each<["nas" | "local", readonly string[], object]>([
    ["nas", [], { fetchOn: "a", copyTo: [] }],
    ["nas", ["b"], { copyTo: [] }],
    ["local", [], { fetchOn: "a", copyFrom: "a", copyTo: ["b", "c"] }],
    ["local", ["b"], { copyFrom: "b", copyTo: ["a", "c"] }],
    ["local", ["a", "c"], { copyFrom: "a", copyTo: ["b"] }],
    ["local", ["a", "b", "c"], { copyTo: [] }],
])("%s, whole on %j", (location, whole, expected) => {
    expect(decideTransfers(location, nodes, whole)).toEqual(expected);
});
