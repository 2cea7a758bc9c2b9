/** What the kinds of jobs do differently on the server; everything else of a run is the same. */
import { toCarried } from "../api/carried.ts";
import type { ToldCode } from "../api/code.ts";
import type { Page, PageQuery } from "../api/paging.ts";
import type { CreateOptions, CreateOutcome } from "../client/client.ts";
import type { Made, MadeFirst } from "../state/row-journal.ts";
import type { RowParts, StateRow } from "../state/row.ts";

/** An answer or a list item, as codes have it, with all that the server sent besides. */
export type Answered = Readonly<Record<string, unknown>> & { readonly id: string };

export interface Maker {
  /** What must be there before a row's create, such as its product. Repeats are harmless. */
  readonly prepare?: (row: StateRow) => Promise<void>;
  /** True for rows that `prepare` finishes: there is no create to be lost. */
  readonly isSetOnly?: (row: StateRow) => boolean;
  /** The body of the create; the same row gives the same body. */
  toBody(row: StateRow): object | Promise<object>;
  /** Sends it once (docs/spec/engine.md section 1.3). */
  create(body: object, options: CreateOptions): Promise<CreateOutcome>;
  /** The wish as far as the create goes; undefined when it goes all the way. */
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
  /** One page of what is there, newest first; every item in the fields of a code, as far as told. */
  list(query: PageQuery): Promise<Page<ToldCode>>;
  /** True for things of the list that are none of this kind. */
  readonly isOther?: (item: ToldCode) => boolean;
  /** Items of a page at most. */
  readonly pageSize: number;
  /** Asks for one thing of the list by its id. */
  readonly look?: (id: string) => Promise<ToldCode>;
  /** Whether a thing of a row exists that the list must show; left out where nobody can tell. */
  readonly isListed?: (id: string) => Promise<boolean>;
  /** Takes a late double away; left out where the API can't. */
  readonly remove?: (id: string) => Promise<boolean>;
  /** Brings a finished row to what it wants today. False when nothing was sent. Repeats are harmless. */
  change(row: StateRow, id: string): Promise<boolean | void>;
}

/** What a list item tells of the code that a row was given. */
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
