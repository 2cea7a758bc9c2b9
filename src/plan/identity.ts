import { KEY_SEPARATOR } from "../base/shapes/row-key.ts";
import type { Problem } from "../base/errors.ts";
import { TextNumbers } from "../base/flow/text-numbers.ts";
import { isIdentifierType, toIdentifierValue } from "../gs1/identifiers.ts";
import type { JobRows } from "../job/job.ts";
import type { SourceRow } from "../read/rows/rows.ts";
import type { Wanted } from "../state/row.ts";
import { toSlugOf } from "./link-path.ts";
import { toProductIdentity } from "./product-wish.ts";
import { toRowPlace } from "./row-place.ts";
import type { Wish } from "./wish.ts";

/** The key of the only row of a job without a spreadsheet. */
const ONLY_ROW = "form";

/**
 * What makes a row the same row on the next run: the cells of the key columns, or without a key the
 * name, folder and data of what it wants, equal ones told apart by their count
 * (docs/spec/jobs.md section 1).
 */
export function makeIdentifier({
  key,
  from,
}: Pick<JobRows, "key" | "from">): (row: SourceRow, wish: Wish) => string {
  if (from === "manifest") return () => ONLY_ROW;
  if (key.length > 0) {
    return (row) => key.map((column) => row.values[column] ?? "").join(KEY_SEPARATOR);
  }
  const seen = new TextNumbers();
  return (_row, { wanted }) => {
    const { displayName, folder } = wanted;
    const identity = [displayName, folder ?? "", toData(wanted)].join(KEY_SEPARATOR);
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    return count === 1 ? identity : `${identity} #${count}`;
  };
}

/** Tells of good rows of a file that wish for all that an earlier one does: most often copied by mistake. */
export function makeSameFinder(source: JobRows): (row: SourceRow, wish: Wish) => Problem[] {
  const { key, from } = source;
  if (key.length > 0 || (from !== "spreadsheet" && from !== "stream")) return () => [];
  const lines = new TextNumbers();
  return (row, wish) => {
    const text = JSON.stringify(wish);
    const line = lines.get(text);
    if (line === undefined) {
      lines.set(text, row.line);
      return [];
    }
    return [
      {
        message: "row makes the same code as an earlier one, and gets one of its own",
        where: toRowPlace(source, row),
        hint: `line ${line} makes it: delete one of the rows, or let source.key name a column that tells them apart`,
      },
    ];
  };
}

/** What a row of any kind is about. */
function toData(wanted: Wanted): string {
  const { vcard, qrData, product } = wanted;
  if (vcard !== null) return JSON.stringify(vcard);
  if (product !== undefined) return toProductIdentity(product);
  return toThingData(wanted) ?? qrData ?? "";
}

function toThingData({ link, pdf, page, form }: Wanted): string | null {
  if (pdf !== undefined) return pdf.file ?? pdf.url;
  if (page !== undefined) return page.slug ?? JSON.stringify(page.links);
  return form?.slug ?? link?.slug ?? null;
}

/** All lengths of a GTIN are one product. */
function toProductId(type: string, value: string, parts: readonly (string | null)[] = []): string {
  const stored = isIdentifierType(type) ? toIdentifierValue(type, value) : value;
  return JSON.stringify([type, stored, ...parts]);
}

interface OwnIdentity {
  readonly id: string;
  readonly says: string;
  /** The same for each row that may have the first one's: codes of one product, which leads to one place. */
  readonly shared?: string;
}

/** What no other row may have, such as its slug; undefined where a row has no such thing. */
export function toOwnIdentity(wanted: Wanted): OwnIdentity | undefined {
  const { product, gs1Product } = wanted;
  if (product !== undefined) {
    const { identifier_value: value, batch_lot, serial_number } = product;
    const says = `product ${value} with its batch and serial number`;
    return { id: toProductId(product.identifier_type, value, [batch_lot, serial_number]), says };
  }
  const gtin = gs1Product?.["identifier_value"];
  if (gtin !== undefined) {
    const leadsTo = gs1Product?.["destination_url"] ?? "";
    const shared = toProductId("01", gtin, [leadsTo]);
    return { id: toProductId("01", gtin), says: `product ${gtin}`, shared };
  }
  const slug = toSlugOf(wanted);
  return slug === null ? undefined : { id: slug, says: `slug "${slug}"` };
}
