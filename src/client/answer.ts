/** Reading answers: their JSON, the server's own words, and the error that they mean. */
import { FieldErrorsBody, NON_FIELD, readErrorBody } from "../api/errors.ts";
import { AppError, type ErrorCode, type Problem } from "../base/errors.ts";
import { isUrl } from "../base/text/url.ts";
import { headOf } from "../base/text/words.ts";
import type { ApiRequest } from "./send.ts";
import type { TransportFailure, WireAnswer } from "./wire.ts";

export type ReadJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const read = new WeakMap<WireAnswer, ReadJson>();
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as JSON; parsed only once. */
export function readJson(answer: WireAnswer): ReadJson {
  const known = read.get(answer);
  if (known !== undefined) return known;
  const result = parseJson(answer.body);
  read.set(answer, result);
  return result;
}

function parseJson(body: Uint8Array): ReadJson {
  try {
    return { ok: true, value: JSON.parse(utf8.decode(body)) };
  } catch {
    return { ok: false };
  }
}

export function isSuccess(answer: WireAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** True when the answer is a success with an unusable body. */
export function isUnusable(request: ApiRequest, answer: WireAnswer): boolean {
  if (!isSuccess(answer) || request.expect !== "json") return false;
  const json = readJson(answer);
  return !json.ok || typeof json.value !== "object" || json.value === null;
}

const MAX_WORDS = 500;

/** The server's explanation of an error, with our token removed. Empty when it gives none. */
export function toWords(request: ApiRequest, answer: WireAnswer): string {
  const json = readJson(answer);
  const words = json.ok ? wordsOf(json.value) : plainWords(answer);
  return hideToken(request, headOf(words, MAX_WORDS));
}

function wordsOf(body: unknown): string {
  const sentences = readErrorBody(body);
  if (sentences.length > 0) return sentences.join("; ");
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null) return "";
  for (const key of ["error", "message", "title", "errors"]) {
    const value: unknown = (body as Record<string, unknown>)[key];
    if (typeof value === "string") return value;
    if (typeof value === "object" && value !== null) return wordsOf(value);
  }
  return "";
}

/** A text is quoted; of a page only its kind is named. */
function plainWords(answer: WireAnswer): string {
  const text = new TextDecoder().decode(answer.body.subarray(0, MAX_WORDS)).trim();
  if (text === "") return "";
  if (text.startsWith("<")) return "an HTML page";
  return text.replaceAll(/\s+/gu, " ");
}

function hideToken(request: ApiRequest, words: string): string {
  const token = request.headers["authorization"]?.split(" ")[1];
  return token === undefined || token === "" ? words : words.replaceAll(token, "[secret]");
}

/** The fields in the body of a 400, one problem each. */
export function toProblems(request: ApiRequest, answer: WireAnswer): Problem[] {
  const json = readJson(answer);
  const errors = FieldErrorsBody.safeParse(json.ok ? json.value : undefined);
  if (answer.status !== 400 || !errors.success) return [];
  return Object.entries(errors.data).flatMap(([field, value]) =>
    readErrorBody({ [field]: value }).map((sentence) => ({
      message: hideToken(request, sentence),
      ...(field === NON_FIELD ? {} : { where: { field } }),
    })),
  );
}

/** status -> code; other statuses go by their hundred. */
const codeByStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, "token-refused"],
  [402, "token-refused"],
  [403, "token-refused"],
  [404, "not-found"],
  [429, "rate-limited"],
]);

const codeByHundred: ReadonlyMap<number, ErrorCode> = new Map([
  [4, "request-refused"],
  [5, "server-unavailable"],
]);

const hints: Partial<Record<ErrorCode, string>> = {
  "token-refused":
    "check the token, the workspace and what its plan allows: they stand in the account settings of the server",
  "not-found": "check the base URL and the workspace id; it may also have been deleted meanwhile",
  "rate-limited": "others may be using the same token; run again later, or set run.share",
  "server-unavailable": "run the same command again later: what is finished stays finished",
  "answer-unusable": "check that the base URL is the API root and ends in /api/v2",
};

/** For a refusal that concerns a row, says what was requested; for other errors, names the call. */
function sayAsked({ wants, label }: ApiRequest, code: ErrorCode): string {
  const isRefusal = code === "request-refused" || code === "not-found";
  return isRefusal && wants !== undefined
    ? `${wants}, but it answered`
    : `${label} must succeed, got`;
}

/** The error of an answer that is no (usable) success. */
export function toAnswerError(request: ApiRequest, answer: WireAnswer): AppError {
  const code =
    codeByStatus.get(answer.status) ??
    codeByHundred.get(Math.floor(answer.status / 100)) ??
    "answer-unusable";
  const words = isSuccess(answer)
    ? "a body that can't be read"
    : toWords(request, answer) || redirectWords(answer);
  return new AppError(
    code,
    `${sayAsked(request, code)} ${answer.status}${words === "" ? "" : `: ${words}`}`,
    { hint: hints[code], problems: toProblems(request, answer), status: answer.status },
  );
}

function redirectWords(answer: WireAnswer): string {
  const isRedirect = answer.status >= 300 && answer.status < 400;
  if (!isRedirect) return "";
  const location = answer.headers.get("location") ?? "";
  const to = isUrl(location) ? ` to ${new URL(location).origin}` : "";
  return `a redirect${to}, which API calls don't follow`;
}

/** The error of a request without an answer. */
export function toFailureError(request: ApiRequest, failure: TransportFailure): AppError {
  const { host } = new URL(request.url);
  return new AppError(
    "server-unavailable",
    `${request.label} must be answered by ${host}, got no answer: ${failure.message}`,
    { hint: hints["server-unavailable"], cause: failure },
  );
}
