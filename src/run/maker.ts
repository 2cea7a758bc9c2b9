/** What differs between kinds of jobs on the server; everything else of a run is the same. */
import { toCarried } from "../api/carried.ts";
import type { ToldCode } from "../api/code.ts";
import type { Page, PageQuery } from "../api/paging.ts";
import type { CreateOptions, CreateOutcome } from "../client/client.ts";
import type { Made, MadeFirst } from "../state/row-journal.ts";
import type { RowParts, StateRow } from "../state/row.ts";

/** An answer or a list item, as codes have it, with all that the server sent besides. */
export type Answered = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Maker {
  /** Makes what a row's create needs, such as its product. Repeats are harmless. */
  readonly prepare?: (row: StateRow) => Promise<void>;
  /** True for rows that `prepare` finishes: they need no create. */
  readonly isSetOnly?: (row: StateRow) => boolean;
  /** The body of the create; the same row gives the same body. */
  toBody(row: StateRow): object | Promise<object>;
  /** Sends it once (docs/spec/engine.md section 1.3). */
  create(body: object, options: CreateOptions): Promise<CreateOutcome>;
  /** The part of the wish that the create fulfils; undefined when it fulfils all of it. */
  readonly toMadeFirst?: (row: StateRow) => MadeFirst | undefined;
  /** What is kept of an answer or of a list item. */
  readonly toParts?: (answered: Answered) => RowParts;
  /**
   * True when the server itself refuses a second one of the row, since the row names the slug. Such
   * a create may be sent again at will.
   */
  readonly isKeyed?: (row: StateRow) => boolean;
  /** After a keyed create was refused: the thing that holds the row's slug and is just what the row wants. */
  readonly findHolder?: (row: StateRow) => Promise<ToldCode | undefined>;
  /**
   * One page of what exists, newest first; every item in the fields of a code, as far as it has
   * them.
   */
  list(query: PageQuery): Promise<Page<ToldCode>>;
  /** True for things of the list that are none of this kind. */
  readonly isOther?: (item: ToldCode) => boolean;
  /** Items of a page at most. */
  readonly pageSize: number;
  /** Asks for one thing of the list by its id. */
  readonly look?: (id: string) => Promise<ToldCode>;
  /** Whether a row's thing exists, so that the list must show it; left out where the API can't say. */
  readonly isListed?: (id: string) => Promise<boolean>;
  /** Takes a late double away; left out where the API can't. */
  readonly remove?: (id: string) => Promise<boolean>;
  /** Brings a finished row to what it wants today. False when nothing was sent. Repeats are harmless. */
  change(row: StateRow, id: string): Promise<boolean | void>;
}

/** What a list item says of a row's code. */
export const toFound = (
  { toParts }: Pick<Maker, "toParts">,
  key: string,
  item: ToldCode,
): Made => ({
  key,
  remoteId: item.id,
  created: item.created ?? null,
  shortLink: toCarried(item),
  svg: null,
  parts: toParts?.(item),
});
