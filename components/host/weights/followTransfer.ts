import type { Progress } from "../progress";
import type { ProgramEvent } from "./program";
import { sizeText, type TransferLook, transferText } from "./transferText";

/** Turns a program's events into progress lines of a node. */
export function followTransfer(node: string, progress: Progress): (event: ProgramEvent) => void {
    let first: TransferLook | undefined;
    return (event) => {
        switch (event.kind) {
            case "size":
                first = { ...event, seconds: progress.seconds() };
                progress.say(
                    node,
                    `${transferText(first, first)} there, ${sizeText(event.free)} free`,
                );
                break;
            case "progress": {
                const now = { ...event, seconds: progress.seconds() };
                first ??= now;
                progress.tick(node, transferText(first, now));
                break;
            }
            case "retry":
                progress.say(node, `${event.text}; trying again in ${String(event.seconds)} s`);
                break;
            case "done":
                progress.say(
                    node,
                    `whole: ${sizeText(event.total)}, ${sizeText(event.fetched)} of it new`,
                );
                break;
            case "listening":
            case "failed":
                break;
            default:
                event satisfies never;
        }
    };
}
