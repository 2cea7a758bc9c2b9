/** `GET /page/{slug}`: the live page of a landing page. */
import { replyUnknown } from "../public-style.ts";
import type { Store } from "../../store/store.ts";
import { replyLandingPage } from "./page-view.ts";

export async function showPage({ db }: Store, slug: string): Promise<Response> {
  const row = await db
    .selectFrom("pages")
    .selectAll()
    .where("slug", "=", slug)
    .where("status", "=", "Published")
    .executeTakeFirst();
  return row === undefined ? replyUnknown("page") : replyLandingPage(row);
}
