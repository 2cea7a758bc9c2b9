/** Pages for submissions that were not accepted at all. */
import type { Refusal } from "../../http/reply.ts";
import { replyNotice } from "../public-style.ts";
import type { Words } from "../words/en.ts";
import { fill } from "../words/words.ts";

function replyNotSent(
  { language, notSent }: Words,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return replyNotice({ language, status, title: notSent.title, text, headers });
}

export const replyForeign = (words: Words): Response =>
  replyNotSent(words, 403, words.notSent.foreign);

export const replyUnreadable = (words: Words): Response =>
  replyNotSent(words, 400, words.notSent.unreadable);

/** For people: why the body was not read completely. */
export function replyRefused({ reply }: Refusal, maxBytes: number, words: Words): Response {
  const { status, headers = {} } = reply;
  const { notSent } = words;
  if (status === 408) return replyNotSent(words, 408, notSent.late, headers);
  if (status === 503) return replyNotSent(words, 503, notSent.busy, headers);
  const text = fill(notSent.tooLong, { n: Math.floor(maxBytes / 1024 / 1024) });
  return replyNotSent(words, 413, text);
}
