/** What can become of codes of vanished rows, by kind. */
import type { Client } from "../client/client.ts";
import type { StateRow } from "../state/row.ts";
import type { RowKind } from "./names.ts";

export interface Retiring {
  /** Id of the row's code, which lies in a folder; undefined where there is none. */
  readonly toFiled?: (row: StateRow) => string | undefined;
  /** Deletes the code or short link; false when it was gone. Left out where the API can't. */
  readonly remove?: (client: Client, id: string) => Promise<boolean>;
}

const toId = ({ remoteId }: StateRow): string | undefined => remoteId ?? undefined;
const toCodeId = ({ parts }: StateRow): string | undefined => parts.codeId;
const removeCode: Retiring["remove"] = (client, id) => client.deleteCode(id);

/** A product without a code lies in no folder, and stays. */
const toProductCode = (row: StateRow): string | undefined =>
  (row.made ?? row.wanted).product?.hasCode === false ? undefined : toId(row);

export const retiring = {
  codes: { toFiled: toId, remove: removeCode },
  products: { toFiled: toProductCode, remove: removeCode },
  links: { remove: (client, id) => client.deleteLink(id) },
  pdfs: { toFiled: toId, remove: removeCode },
  pages: { toFiled: toCodeId },
  forms: { toFiled: toCodeId },
} as const satisfies Record<RowKind, Retiring>;

/** What `retire` can do with codes of a kind. */
export function waysToRetire(kind: RowKind): ("file" | "delete")[] {
  const { toFiled, remove }: Retiring = retiring[kind];
  return [
    ...(toFiled === undefined ? [] : (["file"] as const)),
    ...(remove === undefined ? [] : (["delete"] as const)),
  ];
}
