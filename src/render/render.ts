/** `POST /render/sheets`: what the desk and `makeready serve --render` answer (docs/render.md). */
import type { Clock } from "../base/time/clock.ts";
import { AppError, type Problem } from "../base/errors.ts";
import type { Render, RenderVisit } from "../service/http/render-port.ts";
import { readOrder, refuseBody, renderCaps, type RenderOrder } from "./render-request.ts";
import { type Rendered, renderSheets } from "./render-sheets.ts";
import { RenderTurns, type TurnCaps } from "./turns.ts";

export interface RenderOptions {
  readonly clock: Clock;
  /** Longest time of one, waiting included. Default 60 s. */
  readonly mostMs?: number | undefined;
  /** Default: two at once, eight that wait, two of them of one sender. */
  readonly turns?: TurnCaps | undefined;
}

const MOST_MS = 60_000;
const TURNS: TurnCaps = { atOnce: 2, waiting: 8, ofOne: 3 };

const types = { pdf: "application/pdf", png: "image/png" } as const;

const reply = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });

const toProblem = ({ message, hint, where }: Problem): object => ({
  ...(where?.line === undefined ? {} : { row: where.line }),
  ...(where?.field === undefined ? {} : { field: where.field }),
  message,
  ...(hint === undefined ? {} : { hint }),
});

function refuseProblems({ message, problems, hint, where }: AppError): Response {
  const all = problems.length === 0 ? [{ message, hint, where }] : problems;
  return reply(422, {
    detail: "Nothing was rendered.",
    errors: all.slice(0, renderCaps.problems).map(toProblem),
    error_count: all.length,
  });
}

class TooLarge extends Error {}

/** Counted while it comes, and never taken in beyond the cap. */
export async function readWhole({ body }: Request, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function readJson({ request, read }: RenderVisit): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > renderCaps.bodyBytes)
    throw new TooLarge();
  const bytes = await read(renderCaps.bodyBytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw refuseBody([{ message: "the body must be JSON in UTF-8", where: { field: "body" } }]);
  }
}

/** The file itself where it is asked for by its type; else JSON that holds it. */
function wantedType(request: Request): "pdf" | "png" | undefined {
  const accept = request.headers.get("accept") ?? "";
  const asked = accept.split(",").map((one) => one.split(";")[0]?.trim().toLowerCase());
  if (asked.includes(types.pdf)) return "pdf";
  return asked.includes(types.png) ? "png" : undefined;
}

function toFile({ format, bytes, sha256, proof }: Rendered): Response {
  const { warnings, cells, ...figures } = proof;
  const told = { ...figures, warnings: warnings.length, labels: cells.length, sha256 };
  return new Response(Buffer.from(bytes), {
    headers: {
      "content-type": types[format],
      "content-length": String(bytes.length),
      "content-disposition": `attachment; filename="labels.${format}"`,
      "cache-control": "no-store",
      "makeready-proof": JSON.stringify(told),
    },
  });
}

function toJson({ format, bytes, sha256, proof }: Rendered): Response {
  const base64 = Buffer.from(bytes).toString("base64");
  const file = { media_type: types[format], bytes: bytes.length, sha256, base64 };
  return reply(200, { file, proof });
}

async function answer(
  visit: RenderVisit,
  { clock, turns, mostMs }: { clock: Clock; turns: RenderTurns; mostMs: number },
): Promise<Response> {
  const { request, sender } = visit;
  const type = /^application\/json\s*(?:;|$)/iu;
  if (!type.test(request.headers.get("content-type") ?? ""))
    return reply(415, { detail: "The body must be application/json." });
  const late = AbortSignal.timeout(mostMs);
  const signal = AbortSignal.any([request.signal, late]);
  try {
    const order: RenderOrder = readOrder(await readJson(visit));
    const raw = wantedType(request);
    const turn = await turns.take(sender, signal);
    if (turn === undefined)
      return reply(429, { detail: "Too much is being rendered." }, { "retry-after": "5" });
    try {
      signal.throwIfAborted();
      const rendered = await renderSheets(
        { ...order, format: raw ?? order.format },
        { clock, signal },
      );
      return raw === undefined ? toJson(rendered) : toFile(rendered);
    } finally {
      turn.end();
    }
  } catch (error) {
    if (error instanceof TooLarge)
      return reply(413, { detail: `The body must have at most ${renderCaps.bodyBytes} bytes.` });
    if (late.aborted)
      return reply(503, {
        detail: `It took longer than ${mostMs / 1000} s: ask for fewer labels at once.`,
      });
    // The client has gone, so no one reads it.
    if (request.signal.aborted) return reply(499, { detail: "The client went away." });
    if (error instanceof AppError && error.code === "row-invalid") return refuseProblems(error);
    throw error;
  }
}

/** The renderer of a whole server, whose limits all senders share. */
export function makeRender({ clock, mostMs = MOST_MS, turns = TURNS }: RenderOptions): Render {
  const parts = { clock, mostMs, turns: new RenderTurns(turns) };
  return (visit) => answer(visit, parts);
}
