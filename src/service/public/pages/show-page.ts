/** `GET /page/{slug}`: the live page of a landing page. */
import { findPublishedPage } from "../../resources/pages/rows.ts";
import type { Store } from "../../store/store.ts";
import { replyUnknown } from "../public-style.ts";
import { wordsFor } from "../words/words.ts";
import { replyLandingPage } from "./page-view.ts";

export async function showPage({ db }: Store, slug: string, request: Request): Promise<Response> {
  const row = await findPublishedPage(db, slug);
  const words = wordsFor(request);
  return row === undefined ? replyUnknown("page", words) : replyLandingPage(row, words);
}
