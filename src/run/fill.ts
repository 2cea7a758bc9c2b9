import type { CodeItem } from "../api/code.ts";
import { AppError } from "../base/errors.ts";
import type { RunContext } from "./context.ts";
import { hasPlainData, toCreatedMs } from "./match.ts";

/** What an item is known by; a list may leave it out, as the document doesn't show all shapes. */
const isIncomplete = ({ display_name: name, qr_data: data, qr_type: type, folder }: CodeItem) =>
  name === undefined || folder === undefined || (hasPlainData(type) && data === undefined);

/** The item with what its list left out, asked for by its id. */
export async function fillItem({ maker }: RunContext, item: CodeItem): Promise<CodeItem> {
  if (maker.look === undefined || !isIncomplete(item)) return item;
  try {
    return { ...(await maker.look(item.id)), created: item.created };
  } catch (error) {
    if (error instanceof AppError && error.code === "not-found") return item;
    throw error;
  }
}

/** The same for those that no row holds and that are not older than `sinceMs`. */
export async function fillItems(
  context: RunContext,
  items: readonly CodeItem[],
  sinceMs: number,
): Promise<CodeItem[]> {
  const filled: CodeItem[] = [];
  for (const item of items) {
    const matters = !context.state.journal.holds(item.id) && !(toCreatedMs(item) < sinceMs);
    filled.push(matters ? await fillItem(context, item) : item);
  }
  return filled;
}
