/** How much of its plan an account uses. */
import type { Context } from "../context.ts";

export interface Use {
  readonly codes: number;
  readonly links: number;
  readonly dynamicCodes: number;
  /** undefined = unlimited. */
  readonly maxDynamicCodes: number | undefined;
  readonly pages: number;
  readonly maxPages: number | undefined;
  readonly forms: number;
  readonly products: number;
  readonly hasWebhooks: boolean;
}

/** Of all workspaces of the account: plans count them together. */
export async function readUse(
  { store: { db }, plan }: Pick<Context, "store" | "plan">,
  accountId: string,
): Promise<Use> {
  const own = db.selectFrom("workspaces").select("id").where("account_id", "=", accountId);
  const kept = await db
    .selectFrom("counts")
    .select(["what", (eb) => eb.fn.sum<number>("n").as("n")])
    .where("workspace_id", "in", own)
    .where("what", "in", ["code", "link", "dynamic"])
    .groupBy("what")
    .execute();
  const countOf = (what: string): number => kept.find((one) => one.what === what)?.n ?? 0;
  const countRows = async (table: "pages" | "forms" | "products"): Promise<number> => {
    const rows = db.selectFrom(table).where("workspace_id", "in", own);
    const found = await rows.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirst();
    return found?.n ?? 0;
  };
  return {
    codes: countOf("code"),
    links: countOf("link"),
    dynamicCodes: countOf("dynamic"),
    maxDynamicCodes: plan.dynamicCodes,
    pages: await countRows("pages"),
    maxPages: plan.pages,
    forms: await countRows("forms"),
    products: await countRows("products"),
    hasWebhooks: plan.webhooks !== false,
  };
}
