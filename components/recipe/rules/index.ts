import type { Draft } from "../draft";
import type { Finding } from "../finding";
import { modelIsPinned } from "./modelIsPinned";

/** A rule over several fields: pure, knows no lines, says nothing when what it needs is wrong or missing. */
export type Rule = (draft: Draft) => readonly Finding[];

/** All rules; the list is the documentation. */
export const rules: readonly Rule[] = [modelIsPinned];
