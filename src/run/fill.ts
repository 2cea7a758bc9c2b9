/**
 * Asks by the code's id for fields that lists leave out: the API's document does not show all
 * shapes.
 */
import type { ToldCode } from "../api/code.ts";
import { AppError } from "../base/errors.ts";
import type { RunContext } from "./context.ts";
import type { Maker } from "./maker.ts";
import { hasPlainData, toCreatedMs } from "./match.ts";

/** The fields that identify a code. */
const FIELDS = ["display_name", "qr_type", "qr_data", "dynamic", "folder"] as const;

/** Those that are left out. */
function toUntold(item: ToldCode): string[] {
  const isPlain = item.qr_type === undefined || hasPlainData(item.qr_type);
  return FIELDS.filter((field) => item[field] === undefined && (field !== "qr_data" || isPlain));
}

/** Codes that were asked for, so that no scan of the run asks again. */
const asked = new WeakMap<Maker, Map<string, ToldCode>>();

async function askOnce(maker: Maker, id: string): Promise<ToldCode | undefined> {
  const known = asked.get(maker) ?? new Map<string, ToldCode>();
  asked.set(maker, known);
  try {
    const code = known.get(id) ?? (await maker.look?.(id));
    if (code !== undefined) known.set(id, code);
    return code;
  } catch (error) {
    if (error instanceof AppError && error.code === "not-found") return undefined;
    throw error;
  }
}

const toTold = (item: ToldCode): Partial<ToldCode> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

/** Only dynamic codes have a short link (docs/spec/api.md section 2.1). */
const withDynamic = (item: ToldCode): ToldCode =>
  item.dynamic === undefined && (item.shortlink_url ?? "") !== ""
    ? { ...item, dynamic: true }
    : item;

const isWhole = (item: ToldCode): boolean =>
  toUntold(item).length === 0 && item.created !== undefined;

/** The item with what its list left out; undefined when there is no such code any more. */
export async function fillItem(
  { maker }: RunContext,
  item: ToldCode,
): Promise<ToldCode | undefined> {
  const listed = withDynamic(item);
  if (maker.look === undefined || isWhole(listed)) return listed;
  const code = await askOnce(maker, item.id);
  return code && withDynamic({ ...code, ...toTold(listed), id: item.id });
}

/**
 * Throws `answer-unusable` when neither the list nor the code itself has the fields that identify
 * it.
 */
export function checkTold(item: ToldCode): void {
  const untold = toUntold(item);
  if (untold.length === 0) return;
  throw new AppError(
    "answer-unusable",
    `the server must show ${untold.join(", ")} of code ${item.id} in its list or when asked for the code, got neither`,
    {
      hint: "ask the server's operator for these fields of GET /qrcode/{id}/; nothing more is made until then, since a lost answer could never be cleared up",
    },
  );
}

/**
 * Fills in the codes that no row holds, that are not older than `sinceMs`, and that may be a row's
 * by the fields they have. Undefined when one of them has gone meanwhile.
 */
export async function fillItems(
  context: RunContext,
  items: readonly ToldCode[],
  { sinceMs, mayBe }: { readonly sinceMs: number; readonly mayBe: (item: ToldCode) => boolean },
): Promise<ToldCode[] | undefined> {
  const filled: ToldCode[] = [];
  for (const item of items) {
    // Most lists leave nothing out, and thousands of rows may be wanted.
    const listed = withDynamic(item);
    const isFree = !isWhole(listed) && !context.state.journal.holds(item.id);
    if (!isFree || toCreatedMs(item) < sinceMs || !mayBe(listed)) {
      filled.push(listed);
      continue;
    }
    const whole = await fillItem(context, item);
    if (whole === undefined) return undefined;
    const isLate = !(toCreatedMs(whole) < sinceMs);
    if (isLate && mayBe(whole)) checkTold(whole);
    filled.push(whole);
  }
  return filled;
}
