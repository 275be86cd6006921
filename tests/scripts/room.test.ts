interface Room {
    readonly memoryGib: number;
    readonly diskGib: number;
}
const { noRoom } = jest.requireActual<{
    readonly noRoom: (wanted: Room, free: Room, ci: string) => string | undefined;
}>("../../scripts/testing/room.js");

const wanted = { memoryGib: 10, diskGib: 15 };

test.each([
    ["enough of both", { memoryGib: 10, diskGib: 15 }, "", undefined],
    [
        "little memory",
        { memoryGib: 9.94, diskGib: 40 },
        "",
        "9.9 GiB of memory are free, it needs 10",
    ],
    [
        "little of both",
        { memoryGib: 4, diskGib: 3 },
        "",
        "4.0 GiB of memory are free, it needs 10; 3.0 GiB of disk are free, it needs 15",
    ],
    [
        "little of both in CI, where it shall fail aloud",
        { memoryGib: 4, diskGib: 3 },
        "true",
        undefined,
    ],
    ["CI=false", { memoryGib: 20, diskGib: 3 }, "false", "3.0 GiB of disk are free, it needs 15"],
])("%s", (_, free, ci, reason) => {
    expect(noRoom(wanted, free, ci)).toBe(reason);
});
