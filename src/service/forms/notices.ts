/** Why answers were not taken at all, as pages. */
import { replyNotice } from "../public-style.ts";

export const replyForeign = (): Response =>
  replyNotice({
    status: 403,
    title: "Not sent",
    text: "The answers came from a page of another site. Please open the form itself.",
  });

export const replyTooLong = (maxBytes: number): Response =>
  replyNotice({
    status: 413,
    title: "Not sent",
    text: `The answers must have at most ${Math.floor(maxBytes / 1024 / 1024)} MB. Please go back and choose smaller images.`,
    headers: { connection: "close" },
  });

export const replyUnreadable = (): Response =>
  replyNotice({
    status: 400,
    title: "Not sent",
    text: "The answers could not be read. Please go back and submit them once more.",
  });

export const replyLate = (): Response =>
  replyNotice({
    status: 408,
    title: "Not sent",
    text: "Sending the answers took too long. Please go back and try again, or choose smaller images.",
    headers: { connection: "close" },
  });

export const replyBusy = (): Response =>
  replyNotice({
    status: 503,
    title: "Not sent",
    text: "Too many images are being sent right now. Please go back and try again in a minute.",
    headers: { "retry-after": "60", connection: "close" },
  });
