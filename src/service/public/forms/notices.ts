/** Why answers were not taken at all, as pages. */
import type { Refusal } from "../../http/reply.ts";
import { replyNotice } from "../public-style.ts";

export const replyForeign = (): Response =>
  replyNotice({
    status: 403,
    title: "Not sent",
    text: "The answers came from a page of another site. Please open the form itself.",
  });

const replyTooLong = (maxBytes: number): Response =>
  replyNotice({
    status: 413,
    title: "Not sent",
    text: `The answers must have at most ${Math.floor(maxBytes / 1024 / 1024)} MB. Please go back and choose smaller images.`,
  });

export const replyUnreadable = (): Response =>
  replyNotice({
    status: 400,
    title: "Not sent",
    text: "The answers could not be read. Please go back and submit them once more.",
  });

const replyLate = (headers: Record<string, string>): Response =>
  replyNotice({
    status: 408,
    title: "Not sent",
    text: "Sending the answers took too long. Please go back and try again, or choose smaller images.",
    headers,
  });

const replyBusy = (headers: Record<string, string>): Response =>
  replyNotice({
    status: 503,
    title: "Not sent",
    text: "Too much is being sent right now. Please go back and try again in a minute.",
    headers,
  });

/** In people's words: why a body was not read to its end. */
export function replyRefused({ reply }: Refusal, maxBytes: number): Response {
  const { status, headers = {} } = reply;
  if (status === 408) return replyLate(headers);
  return status === 503 ? replyBusy(headers) : replyTooLong(maxBytes);
}
