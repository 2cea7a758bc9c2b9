import { quoteText } from "../base/text/words.ts";
import type { KnownRow, Wanted } from "../state/row.ts";
import { EMPTY_TAGS_HASH, type toWishHashes } from "./hash.ts";
import type { ThingCost } from "./thing.ts";
import { countTagWrites } from "./writes.ts";

/** What is left to do for a row. */
export interface RowAction {
  readonly kind: "create" | "resume" | "change" | "unchanged" | "failed-before";
  /** Body fields of `update` that differ (docs/spec/api.md section 4.1). */
  readonly update: boolean;
  readonly restyle: boolean;
  readonly retag: boolean;
  /** Calls that change something on the server. */
  readonly writes: number;
  /** Calls that only read, before the change. */
  readonly reads: number;
  /** The server draws the code anew: its files are fetched again. */
  readonly redraw: boolean;
  /** A failed row is tried again. */
  readonly again: boolean;
}

type Hashes = ReturnType<typeof toWishHashes>;

const action = (kind: RowAction["kind"], rest: Partial<RowAction> = {}): RowAction => ({
  kind,
  update: false,
  restyle: false,
  retag: false,
  writes: 0,
  reads: 0,
  redraw: false,
  again: false,
  ...rest,
});

export const NO_ACTION = action("unchanged");

const quoteData = ({ qrData }: Wanted): string => quoteText(qrData ?? "");

/** Why a made code can't become what the row wants now; undefined when it can. */
export function findImpossibleChange(made: Wanted, wanted: Wanted): string | undefined {
  const was = `${made.dynamic ? "dynamic" : "static"} ${made.type}`;
  const is = `${wanted.dynamic ? "dynamic" : "static"} ${wanted.type}`;
  if (was !== is) return `the code was made as ${was} and can't become ${is}`;
  if (!made.dynamic && made.qrData !== wanted.qrData) {
    return `a static code carries its content in print: it was made with ${quoteData(made)} and can't become ${quoteData(wanted)}`;
  }
  if (JSON.stringify(made.vcard) !== JSON.stringify(wanted.vcard)) {
    return "the contact of a made code can't be changed through this API";
  }
  if (made.gs1Product?.["identifier_value"] !== wanted.gs1Product?.["identifier_value"]) {
    return "a GS1 code carries its identifier in print";
  }
  if (made.domain !== wanted.domain) {
    return `the domain of a made code can't be changed through this API: it was made on ${made.domain ?? "the default domain"}`;
  }
  return undefined;
}

/** A row's wish against what the state knows of it. */
export function compare(
  known: KnownRow | undefined,
  wanted: Wanted,
  hashes: Hashes,
  { cost, retryFailed }: { readonly cost: ThingCost; readonly retryFailed: boolean },
): RowAction {
  const createWrites = cost.create(wanted, known?.parts);
  if (known === undefined) return action("create", { writes: createWrites });
  switch (known.state) {
    case "pending":
      return action("create", { writes: createWrites });
    case "sending":
    case "doubt":
      return action("resume", { writes: createWrites });
    case "conflict":
      // The row goes back into doubt, and the list decides: nothing is sent blindly.
      return retryFailed
        ? action("resume", { writes: createWrites, again: true })
        : action("failed-before");
    case "failed":
      return retryFailed || isChanged(known, hashes)
        ? action("create", { writes: createWrites, again: true })
        : action("failed-before");
    case "done":
      return compareDone(known, wanted, hashes, cost);
    default:
      return known.state satisfies never;
  }
}

const isChanged = (known: KnownRow, hashes: Hashes): boolean =>
  known.wantedHash !== hashes.wantedHash || known.designHash !== hashes.designHash;

/** Changing an unknown value costs a call. */
const countUpdate = (made: Wanted | null, wanted: Wanted, { update }: ThingCost): number =>
  made === null ? 1 : update(made, wanted);

const countReads = (made: Wanted | null, wanted: Wanted, { updateReads }: ThingCost): number =>
  made === null ? 0 : (updateReads?.(made, wanted) ?? 0);

function compareDone(known: KnownRow, wanted: Wanted, hashes: Hashes, cost: ThingCost): RowAction {
  const update = known.madeHash !== hashes.wantedHash;
  const restyle = known.madeDesignHash !== hashes.designHash;
  const retag = (known.madeTagsHash ?? EMPTY_TAGS_HASH) !== hashes.tagsHash;
  if (!update && !restyle && !retag) return action("unchanged");
  const updating = update ? countUpdate(known.made, wanted, cost) : 0;
  const writes =
    updating + Number(restyle) + (retag ? countTagWrites(known.madeTags, wanted.tags) : 0);
  const reads = update ? countReads(known.made, wanted, cost) : 0;
  const redraw = restyle || (update && cost.redraws === true);
  return action("change", { update, restyle, retag, writes, reads, redraw });
}
