import { Code } from "../api/code.ts";
import type { AppError, Problem } from "../base/errors.ts";
import { isUnusable, readJson, toAnswerError, toFailureError, toProblems } from "./answer.ts";
import { readDialect } from "./dialect.ts";
import { readDate, readLimits } from "./limit-headers.ts";
import { classify } from "./outcome.ts";
import type { ApiRequest, Send } from "./send.ts";
import { TransportFailure, type WireAnswer } from "./wire.ts";

/** Fields of every outcome with an answer. */
interface FromAnswer {
  readonly status: number;
  /**
   * The server sent the `Idempotency-Key` back: so it supports it (docs/spec/engine.md section
   * 1.7).
   */
  readonly keyEchoed: boolean;
  /** The answer's `Date`, ms since 1970. */
  readonly serverMs: number | undefined;
}

interface FromSilence {
  readonly status?: undefined;
  readonly keyEchoed: false;
  readonly serverMs?: undefined;
}

interface WithError {
  /** One sentence for people; the same as `error.message`. */
  readonly message: string;
  readonly error: AppError;
}

/**
 * What became of a create (docs/spec/engine.md section 1.4). `done`: made. `not-sent`, `limited`
 * and `auth`: certainly not made. `refused`: never will be, unless changed. `doubt`: may or may not
 * be made.
 */
export type CreateOutcome =
  | ({ readonly kind: "done"; readonly code: Code; readonly raw: unknown } & FromAnswer)
  /** `problems`: the fields that the server named. */
  | ({ readonly kind: "refused"; readonly problems: readonly Problem[] } & FromAnswer & WithError)
  | ({ readonly kind: "auth" } & FromAnswer & WithError)
  /** The next create waits until the server accepts requests again. */
  | ({ readonly kind: "limited"; readonly retryAfterMs: number | undefined } & FromAnswer &
      WithError)
  | ({ readonly kind: "not-sent" } & FromSilence & WithError)
  | ({ readonly kind: "doubt" } & (FromAnswer | FromSilence) & WithError);

/** Sends a create exactly once and answers its outcome. `wallMs`: this machine's time. */
export async function sendCreate(
  send: Send,
  request: ApiRequest,
  wallMs: () => number,
): Promise<CreateOutcome> {
  try {
    return toOutcome(request, await send(request), wallMs());
  } catch (failure) {
    if (!(failure instanceof TransportFailure)) throw failure;
    const error = toFailureError(request, failure);
    const kind = classify({ kind: "failure", written: failure.written });
    const facts = { keyEchoed: false, error, message: error.message } as const;
    return kind === "not-sent" ? { kind, ...facts } : { kind: "doubt", ...facts };
  }
}

function toOutcome(request: ApiRequest, answer: WireAnswer, wallMs: number): CreateOutcome {
  const { status, headers } = answer;
  const key = request.headers["idempotency-key"];
  const facts = {
    status,
    keyEchoed: key !== undefined && headers.get("idempotency-key") === key,
    serverMs: readDate(headers.get("date")),
  };
  const raw = readBody(request, answer);
  const code = toCode(raw);
  const kind = classify({ kind: "answer", status, hasId: code !== undefined });
  if (kind === "done" && code !== undefined) return { kind, code, raw, ...facts };
  const error = toAnswerError(request, answer);
  const told = { ...facts, error, message: error.message };
  switch (kind) {
    case "refused":
      return { kind, problems: toProblems(request, answer), ...told };
    case "auth":
      return { kind, ...told };
    case "limited":
      return { kind, retryAfterMs: readLimits(headers, wallMs).retryAfterMs, ...told };
    case "done":
    case "not-sent":
    case "doubt":
      return { kind: "doubt", ...told };
    default:
      return kind satisfies never;
  }
}

function readBody(request: ApiRequest, answer: WireAnswer): unknown {
  const json = readJson(answer);
  return json.ok && !isUnusable(request, answer) ? json.value : undefined;
}

/**
 * An id is enough to know that the code exists. Fields that another server leaves out, or writes
 * differently, get empty values.
 */
function toCode(answered: unknown): Code | undefined {
  const raw = readDialect(answered);
  const whole = Code.safeParse(raw);
  if (whole.success) return whole.data;
  if (typeof raw !== "object" || raw === null || !("id" in raw)) return undefined;
  const known = Object.fromEntries(
    Object.entries(raw).filter(([name, value]) => fieldFits(name, value)),
  );
  const partial = Code.safeParse({ qr_type: "", dynamic: false, created: "", ...known });
  return partial.success ? partial.data : undefined;
}

function fieldFits(name: string, value: unknown): boolean {
  const shapes: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> =
    Code.shape;
  return shapes[name]?.safeParse(value).success ?? true;
}
