/** A tool call, sent through the API's own dispatcher: the same rules, limits and refusals. */
import { endpoints, endpointTable, toPath, type EndpointName } from "../../api/endpoints.ts";
import { listFieldErrors, readErrorBody } from "../../api/errors.ts";

import type { Caller } from "../auth/accounts.ts";
import type { Context } from "../context.ts";
import type { Dispatcher } from "../http/dispatch.ts";
import { toFieldErrors } from "../http/problems.ts";
import {
  type Answered,
  drawCode,
  isPictured,
  PICTURE,
  readPicture,
  toPlain,
  type Picture,
} from "./drawings.ts";
import { KEY_ARGUMENT, PAGE, PAGE_SIZE, WORKSPACE, type Tool } from "./tools.ts";
import { sayWorkspaces, type OwnWorkspace } from "./workspaces.ts";

type Json = Record<string, unknown>;

export interface CallParts {
  readonly context: Context;
  readonly dispatcher: Dispatcher;
}

/** Whose call it is, and where it came in. */
export interface Visit {
  readonly caller: Caller;
  /** The caller's. */
  readonly workspaces: readonly OwnWorkspace[];
  readonly ip: string;
  readonly requestId: string;
  /** The API's root as the sender reaches it, for the links of lists. */
  readonly apiUrl: string;
}

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** A tool's result as the protocol has it. */
export interface ToolResult extends Json {
  readonly content: Content[];
  /** Only of successes: clients hold it to the tool's output schema, whatever `isError` says. */
  readonly structuredContent?: Json;
  readonly isError?: true;
}

const toResult = (body: Json, png?: Uint8Array): ToolResult => ({
  content: [
    { type: "text", text: JSON.stringify(body) },
    ...(png === undefined
      ? []
      : [
          {
            type: "image" as const,
            data: Buffer.from(png).toString("base64"),
            mimeType: "image/png",
          },
        ]),
  ],
  structuredContent: body,
});

/**
 * The API's own words, by which a model can correct its arguments. Where an argument is the whole body,
 * the API's words are about it.
 */
function toFailure(status: number, error: unknown, wholeBody?: string): ToolResult {
  const isBody = status === 400 && wholeBody !== undefined;
  const lines = readErrorBody(isBody ? { [wholeBody]: error } : error);
  return {
    content: [{ type: "text", text: [`Refused with status ${status}.`, ...lines].join("\n") }],
    isError: true,
  };
}

const isLeftOut = (value: unknown): boolean =>
  value === undefined || value === null || value === "";

/**
 * At most this many unknown arguments are named, so that the answer isn't longer than the question.
 */
const MAX_UNKNOWN = 10;

/** Faults of arguments that only tools have. */
function findOwnFaults(
  { endpoint }: Tool,
  { [KEY_ARGUMENT]: key, [PICTURE]: picture }: Json,
): [name: string, message: string][] {
  const isKey = typeof key === "string" && /^[\u0021-\u007e]+$/u.test(key);
  const isPicture = isLeftOut(picture) || readPicture(picture) !== undefined;
  return [
    ...(key === undefined || isKey
      ? []
      : [[KEY_ARGUMENT, "Must be a text of visible ASCII characters."] as [string, string]]),
    ...(isPicture || !isPictured(endpoint)
      ? []
      : [[PICTURE, "Must be one of png, svg."] as [string, string]]),
  ];
}

/** What the argument must be that is the whole body; the API would speak of a body. */
function findBodyFaults({ wholeBody, endpoint }: Tool, args: Json): string[] {
  const { body: shape } = endpointTable[endpoint];
  if (wholeBody === undefined || shape === undefined || Array.isArray(args[wholeBody])) return [];
  const { error } = shape.safeParse(args[wholeBody], { reportInput: true });
  return listFieldErrors(toFieldErrors(error?.issues ?? []));
}

/** Faults that the API has no words for: unknown arguments, and path parameters that are missing. */
function findFaults(tool: Tool, args: Json): Map<string, string[]> {
  const known = Object.keys(tool.description.inputSchema.properties);
  const faults = new Map<string, string[]>();
  const unknown = Object.keys(args).filter((name) => !known.includes(name));
  for (const name of unknown.slice(0, MAX_UNKNOWN)) {
    faults.set(name, [`Unknown argument; there are: ${known.join(", ") || "none"}.`]);
  }
  for (const name of tool.params.keys()) {
    const value = args[name];
    if (isLeftOut(value)) faults.set(name, ["This field is required."]);
    else if (typeof value !== "string" && typeof value !== "number") {
      faults.set(name, ["Must be a text."]);
    }
  }
  for (const [name, message] of findOwnFaults(tool, args)) faults.set(name, [message]);
  const bodyFaults = findBodyFaults(tool, args);
  if (tool.wholeBody !== undefined && bodyFaults.length > 0) faults.set(tool.wholeBody, bodyFaults);
  return faults;
}

/** A lone surrogate, which JSON allows and addresses don't, becomes U+FFFD. */
const toText = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();

function toRequest(
  tool: Tool,
  args: Json,
  { apiUrl }: Visit,
): { request: Request; params: Record<string, string> } {
  const { [KEY_ARGUMENT]: key, [PICTURE]: _picture, ...rest } = args;
  const params: Record<string, string> = {};
  const query = new URLSearchParams();
  const body: Json = {};
  for (const [name, value] of Object.entries(rest)) {
    const param = tool.params.get(name);
    if (param !== undefined) params[param] = toText(value);
    else if (!tool.query.has(name)) body[name] = value;
    else if (!isLeftOut(value)) query.set(name, toText(value));
  }
  const url = new URL(`${apiUrl}${toPath(tool.endpoint, params as never)}`);
  const { methods, body: shape, list: isList } = endpointTable[tool.endpoint];
  if (isList && !query.has(PAGE_SIZE)) query.set(PAGE_SIZE, String(PAGE));
  url.search = query.toString();
  const sent = tool.wholeBody === undefined ? body : body[tool.wholeBody];
  const request = new Request(url, {
    method: methods[0],
    headers: {
      "content-type": "application/json",
      ...(typeof key === "string" && { "idempotency-key": key }),
    },
    ...(shape !== undefined && { body: JSON.stringify(sent ?? null) }),
  });
  return { request, params };
}

/** A success: JSON without its drawings; files and redirects under a name. */
async function readSuccess(response: Response, name: EndpointName): Promise<Json> {
  const location = response.headers.get("location");
  if (location !== null) return { url: location };
  const text = await response.text();
  if (text === "") return { deleted: true };
  const isFile = !("response" in endpoints[name]);
  return isFile ? { svg: text } : toPlain(JSON.parse(text) as Json);
}

/** The answer, with the picture if one was requested. */
async function toShown(
  context: Context,
  succeeded: Answered,
  picture: Picture | undefined,
): Promise<ToolResult> {
  const { answer } = succeeded;
  const drawn = picture === undefined ? undefined : await drawCode(context, succeeded, picture);
  if (drawn === undefined) return toResult(answer);
  return "svg" in drawn ? toResult({ ...answer, svg: drawn.svg }) : toResult(answer, drawn.png);
}

/** Calls a tool. A refusal of the API is a result with `isError`, with its sentences as text. */
export async function callTool(
  parts: CallParts,
  tool: Tool,
  { args: given, visit }: { readonly args: Json; readonly visit: Visit },
): Promise<ToolResult> {
  const { caller, workspaces, ip, requestId } = visit;
  const args = { ...given };
  const [only] = workspaces.length === 1 ? workspaces : [];
  const lacksWorkspace = tool.takesWorkspace && isLeftOut(args[WORKSPACE]);
  if (lacksWorkspace) args[WORKSPACE] = only?.id;
  const faults = findFaults(tool, args);
  if (lacksWorkspace && only === undefined) {
    faults.set(WORKSPACE, [`${sayWorkspaces(workspaces)}; give the id of one.`]);
  }
  if (faults.size > 0) return toFailure(400, Object.fromEntries(faults));
  const { request, params } = toRequest(tool, args, visit);
  const names = [tool.endpoint];
  const response = await parts.dispatcher.answer({ request, ip, requestId, names, params, caller });
  const { status } = response;
  parts.context.log.info({ requestId, tool: tool.description.name, status }, "tool call");
  if (status >= 400) return toFailure(status, await response.json(), tool.wholeBody);
  const answer = await readSuccess(response, tool.endpoint);
  return toShown(
    parts.context,
    { name: tool.endpoint, answer, params },
    readPicture(args[PICTURE]),
  );
}
