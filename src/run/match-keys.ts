import type { StateRow } from "../state/row.ts";
import { toSentName } from "./body.ts";
import type { RunContext } from "./context.ts";
import { hasPlainData, toRowMatchKey } from "./match.ts";
import { DOUBTED } from "../state/which-rows.ts";

/** The match key under which a doubted row's code, or a late double of it, is listed. */
export function toSentKey(context: RunContext, row: StateRow): string {
  const sent: StateRow = { ...row, state: "doubt" };
  const wanted = row.made ?? row.wanted;
  const folderId = wanted.folder === null ? null : (context.state.folderId(wanted.folder) ?? null);
  return toRowMatchKey(wanted, toSentName(sent, context.settings.marker), folderId);
}

/** All of them, vanished rows included. */
const listDoubted = ({ state }: RunContext): StateRow[] => [
  ...state.rows(DOUBTED),
  ...state.goneRows(DOUBTED),
];

/** Those whose data lists don't show, as they were sent. */
export function toDoubtedContacts(context: RunContext): StateRow[] {
  return listDoubted(context)
    .filter(({ wanted, made }) => !hasPlainData((made ?? wanted).type))
    .map((row): StateRow => ({ ...row, state: "doubt" }));
}

export function toDoubtedKeys(context: RunContext): Set<string> {
  const keys = new Set<string>();
  for (const row of listDoubted(context)) keys.add(toSentKey(context, row));
  return keys;
}
