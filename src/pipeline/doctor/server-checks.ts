/** Checks of the server that codes are made on: two requests, never repeated, nothing written. */
import { toPath } from "../../api/endpoints.ts";
import { limits as apiLimits } from "../../api/limits.ts";
import type { Clock } from "../../base/time/clock.ts";
import { withoutEndSlash } from "../../base/text/url.ts";
import { readDate, readLimits } from "../../client/limit-headers.ts";
import { TransportFailure, type Transport, type WireAnswer } from "../../client/wire.ts";
import { formatSeconds } from "../../base/text/words.ts";
import { fail, ok, warn, type Check } from "./check.ts";

export interface ServerFacts {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspace: string;
  /** The job makes or changes things; undefined without a job. */
  readonly writes: boolean | undefined;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** `Date` has whole seconds, and the answer was on its way. */
const CLOCK_TOLERANCE_MS = 5_000;
const TOKEN_FIX =
  "it was revoked, has expired or belongs to another server: put a new one into MAKEREADY_TOKEN, or the file of api.token_file";
const URL_FIX = "check the base URL; it ends in /api/v2";
const AUTH = 4;
const UNAVAILABLE = 5;

/** Body of an answer of the API: always JSON. */
function readBody(answer: WireAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function checkClock(answer: WireAnswer, nowMs: number): Check {
  const serverMs = readDate(answer.headers.get("date"));
  if (serverMs === undefined) return ok("clock", "the server gives no time to compare with");
  const offMs = nowMs - serverMs;
  if (Math.abs(offMs) <= CLOCK_TOLERANCE_MS) return ok("clock", "agrees with the server's");
  const off = formatSeconds(Math.abs(offMs) / 1000);
  const says = `this computer is ${off} ${offMs > 0 ? "ahead of" : "behind"} the server`;
  return warn("clock", says, "set the clock by network time; dates on sheets come from it");
}

function checkLimits(answer: WireAnswer, nowMs: number): Check {
  const { limits } = readLimits(answer.headers, nowMs);
  const { readsPerWindow, writesPerWindow } = apiLimits;
  if (limits === undefined) {
    const says = `the server gives none; makeready keeps to ${readsPerWindow} reads and ${writesPerWindow} writes a minute`;
    return ok("limits", says);
  }
  const { limit, remaining, windowMs } = limits;
  const most = limit === undefined ? "" : ` of ${limit}`;
  const window = windowMs === undefined ? "" : ` in ${formatSeconds(windowMs / 1000)}`;
  return ok("limits", `${remaining}${most} reads left${window}`);
}

function judgeRefusal(answer: WireAnswer, facts: ServerFacts): Check {
  const isApi = isObject(readBody(answer));
  switch (answer.status) {
    case 401:
      return fail(
        "token",
        "must be one that the server knows, but it was refused",
        TOKEN_FIX,
        AUTH,
      );
    case 403:
    case 404:
      if (!isApi) break;
      return fail(
        "workspace",
        `must be one that the token opens, got ${facts.workspace}`,
        "check MAKEREADY_WORKSPACE",
        AUTH,
      );
    case 429:
      return warn("token", "can't be tried: the rate limit is used up", "try again in a minute");
  }
  const says = `must answer as the API v2 does, got status ${answer.status}`;
  const isBroken = answer.status >= 500;
  const fix = isBroken ? "try again later, or ask who runs the server" : URL_FIX;
  return fail("base URL", says, fix, isBroken ? UNAVAILABLE : 2);
}

function judgeAnswer(answer: WireAnswer, facts: ServerFacts): Check[] {
  if (answer.status !== 200) return [judgeRefusal(answer, facts)];
  const body = readBody(answer);
  if (!isObject(body) || !("results" in body)) {
    return [fail("base URL", "must answer as the API v2 does, got something else", URL_FIX)];
  }
  return [ok("token", "is accepted"), ok("workspace", `${facts.workspace} is open`)];
}

const FULL_FIX = "take a token with full access";

/** What may a token do? `Allow` of a create says it; where it isn't told, a run finds out. */
async function checkScope(
  { baseUrl, token, writes }: ServerFacts,
  transport: Transport,
): Promise<Check> {
  const answer = await transport.send({
    method: "OPTIONS",
    url: new URL(toPath("createCode", {}).slice(1), `${withoutEndSlash(baseUrl)}/`).href,
    headers: { authorization: `Token ${token}`, accept: "application/json" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const allow = answer.headers.get("allow");
  const isTold = (answer.status === 200 || answer.status === 204) && allow !== null;
  if (!isTold || /\bPOST\b/u.test(allow)) return ok("token", "is accepted");
  if (writes === false) return ok("token", "is accepted; it may only read, as this job does");
  const says = "may only read";
  return writes === true
    ? fail(
        "token",
        `must be one that may write, since this job does, but it ${says}`,
        FULL_FIX,
        AUTH,
      )
    : warn("token", `${says}: jobs that make or change something are refused`, FULL_FIX);
}

/** Lists one code of the workspace and judges what comes back. */
export async function checkRemote(
  facts: ServerFacts,
  { transport, clock }: { transport: Transport; clock: Clock },
): Promise<Check[]> {
  const root = `${withoutEndSlash(facts.baseUrl)}/`;
  const list = toPath("listCodes", { workspace_id: facts.workspace }).slice(1);
  const request = {
    method: "GET",
    url: new URL(`${list}?page=1&page_size=1`, root).href,
    headers: { authorization: `Token ${facts.token}`, accept: "application/json" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  };
  try {
    const answer = await transport.send(request);
    const nowMs = clock.nowMs();
    const judged = judgeAnswer(answer, facts);
    const at = judged.findIndex(({ name, status }) => name === "token" && status === "ok");
    if (at >= 0) judged[at] = await checkScope(facts, transport);
    const isApi = judged.every(({ name }) => name !== "base URL");
    return [
      ...(isApi ? [ok("base URL", `${facts.baseUrl} answers`)] : []),
      ...judged,
      checkClock(answer, nowMs),
      ...(answer.status === 200 ? [checkLimits(answer, nowMs)] : []),
    ];
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    const says = `must answer, but ${error.message}: ${facts.baseUrl}`;
    return [fail("base URL", says, "check the address and the network", UNAVAILABLE)];
  }
}
