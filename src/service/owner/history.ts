/** Where a code led and how it looked before, and how to restore that. */
import type { DesignPatch } from "../../api/design.ts";
import { type Caller, requireOwned } from "../auth/accounts.ts";
import type { Context } from "../context.ts";
import { resolveDesign } from "../../qr/draw/design.ts";
import { toDesignAnswer } from "../designs/design-fields.ts";
import type { StoredDesign } from "../designs/stored-design.ts";
import { refuse } from "../http/reply.ts";
import { toDestination } from "../resources/codes/rows.ts";
import type { CodeHistoryRow, CodeRow } from "../store/tables.ts";

export interface PastDestination {
  readonly what: "destination";
  /** The former destination; for a contact, its name. */
  readonly before: string;
  /** The former contact, if there was one. */
  readonly vcard: Readonly<Record<string, unknown>> | undefined;
}

export interface PastDesign {
  readonly what: "design";
  /** Changed fields with their former values, as the API answers them. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly isOtherLogo: boolean;
  /** There was a logo. */
  readonly hadLogo: boolean;
  /** There was one after the change. */
  readonly hasLogo: boolean;
}

export type Past = (PastDestination | PastDesign) & {
  /** The number of the change, counted per code. */
  readonly n: number;
  /** When it was replaced. */
  readonly timeMs: number;
  /** Name of the token; empty for a token of a file. */
  readonly who: string;
  /** `console`, or `assistant NAME`; null = the API. */
  readonly via: string | null;
};

type Parts = Pick<Context, "store" | "addresses" | "drawings">;

function toContactName(vcard: Readonly<Record<string, unknown>>): string {
  const parts = ["first_name", "last_name", "company"].map((name) => vcard[name]);
  return parts.filter((part) => typeof part === "string" && part !== "").join(" ");
}

/** The fields of a design; its logo isn't read. */
const toFields = (design: StoredDesign): Readonly<Record<string, unknown>> =>
  toDesignAnswer(resolveDesign({ ...design, logo: undefined }));

function compareDesigns(
  before: StoredDesign,
  after: StoredDesign,
): Pick<PastDesign, "before" | "isOtherLogo" | "hadLogo" | "hasLogo"> {
  const next = toFields(after);
  const differing = Object.entries(toFields(before)).filter(
    ([name, value]) => (value ?? null) !== (next[name] ?? null),
  );
  return {
    before: Object.fromEntries(differing),
    isOtherLogo: before.logo !== after.logo,
    hadLogo: before.logo !== undefined,
    hasLogo: after.logo !== undefined,
  };
}

const readStored = (json: string | null): StoredDesign => JSON.parse(json ?? "{}") as StoredDesign;

/** `after` = the design after the change. */
function toPast(
  addresses: Parts["addresses"],
  code: CodeRow,
  { row, after }: { readonly row: CodeHistoryRow; readonly after: string | null },
): Past {
  const signed = { n: row.n, timeMs: row.time, who: row.who ?? "", via: row.via };
  if (row.what === "design") {
    return {
      ...signed,
      what: "design",
      ...compareDesigns(readStored(row.design), readStored(after)),
    };
  }
  const vcard =
    row.vcard === null ? undefined : (JSON.parse(row.vcard) as Readonly<Record<string, unknown>>);
  const led = toDestination(addresses, { ...code, qr_data: row.qr_data ?? "" });
  const before = vcard === undefined ? led : toContactName(vcard);
  return { ...signed, what: "destination", before, vcard };
}

/**
 * The changes of a code or short link of the caller, the newest first; 404 for one of another
 * account.
 */
export async function readHistory(parts: Parts, caller: Caller, codeId: string): Promise<Past[]> {
  const { db } = parts.store;
  const code = await requireOwned(db, "codes", caller, codeId);
  const rows = await db
    .selectFrom("code_history")
    .selectAll()
    .where("code_id", "=", codeId)
    .orderBy("n", "desc")
    .execute();
  let after: string | null = code.design;
  return rows.map((row) => {
    const past = toPast(parts.addresses, code, { row, after });
    if (row.what === "design") after = row.design;
    return past;
  });
}

/** The design before the nth change, as an update for the API, with its logo. */
export async function readPastDesign(
  { store, drawings }: Parts,
  caller: Caller,
  { codeId, n }: { readonly codeId: string; readonly n: number },
): Promise<DesignPatch> {
  await requireOwned(store.db, "codes", caller, codeId);
  const row = await store.db
    .selectFrom("code_history")
    .select("design")
    .where("code_id", "=", codeId)
    .where("n", "=", n)
    .where("what", "=", "design")
    .executeTakeFirst();
  if (row === undefined) throw refuse.notFound();
  const stored = readStored(row.design);
  const { logo } = await drawings.resolve(stored);
  const { logo: _, ...rest } = stored;
  const given = toDesignAnswer(rest as never);
  const patch = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name !== "has_logo")
      .map(([name, value]) => [name, value ?? null]),
  );
  return {
    ...patch,
    ...(logo === null || logo === undefined
      ? { remove_logo: true }
      : { logo_base64: Buffer.from(logo).toString("base64") }),
  };
}
