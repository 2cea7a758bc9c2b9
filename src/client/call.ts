import type { z } from "zod";

import {
  type BodyOf,
  type EndpointName,
  endpointTable,
  type PathParamsOf,
  type QueryOf,
  type ResponseOf,
  toPath,
} from "../api/endpoints.ts";
import { AppError, invariant } from "../base/errors.ts";
import { headOf } from "../base/text/words.ts";
import { isSuccess, isUnusable, readJson, toAnswerError, toFailureError } from "./answer.ts";
import { PAGE_MISSING, readDialect } from "./dialect.ts";
import type { ApiRequest, Send } from "./send.ts";
import { TransportFailure, type WireAnswer } from "./wire.ts";

/** The purpose of a call, for the message when it is refused for a row. */
const wantWords: Partial<Record<EndpointName, string>> = {
  createCode: "the server must make the code",
  updateCode: "the server must change the code",
  updateDesign: "the server must give the code its design",
  deleteCode: "the server must delete the code",
  downloadCode: "the server must make the files of the code",
  addTags: "the server must put the tags on the code",
  removeTag: "the server must take the tag off the code",
  createFolder: "the server must make the folder",
  createPdf: "the server must take the PDF in",
  createLink: "the server must make the short link",
  updateLink: "the server must change the short link",
  createPage: "the server must make the page",
  createForm: "the server must make the form",
  saveForm: "the server must save the form",
  setFormLogo: "the server must fetch the logo of the form",
  publishForm: "the server must publish the form",
  createProduct: "the server must make the product",
  updateProduct: "the server must change the product",
  addProductLink: "the server must add the destination to the product",
  updateProductLink: "the server must change the destination of the product",
  deleteProductLink: "the server must take the destination off the product",
};

interface CallInput<Name extends EndpointName> {
  readonly params: PathParamsOf<Name>;
  readonly body?: BodyOf<Name> | undefined;
  readonly query?: QueryOf<Name> | undefined;
}

/** Calls an endpoint of the table; resolves with the checked body of its success. */
export interface Call {
  <Name extends EndpointName>(name: Name, input: CallInput<Name>): Promise<ResponseOf<Name>>;
  /** The same, with the status of the answer: some endpoints tell by it what was there. */
  withStatus<Name extends EndpointName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<{ readonly status: number; readonly body: ResponseOf<Name> }>;
  toRequest<Name extends EndpointName>(name: Name, input: CallInput<Name>): ApiRequest;
  /** The same with another shape for the answer than the document's. */
  as<Name extends EndpointName, Shape>(
    name: Name,
    input: CallInput<Name>,
    shape: z.ZodType<Shape>,
  ): Promise<Shape>;
  /**
   * For answers that the API document doesn't show: any success is accepted; undefined when its body
   * is unusable.
   */
  loosely<Name extends EndpointName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<ResponseOf<Name> | undefined>;
  /** An endpoint's answer as a file, requested by its type. */
  file<Name extends EndpointName>(
    name: Name,
    input: CallInput<Name>,
    wanted: { readonly type: string; readonly maxBytes: number },
  ): Promise<Uint8Array>;
}

export interface CallParts {
  /** The API root, with a slash at its end. */
  readonly root: URL;
  readonly authorization: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly send: Send;
}

/** Far above lists of 200 codes with their SVG. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function makeCall(parts: CallParts): Call {
  const toRequest: Call["toRequest"] = (name, input) => makeRequest(parts, name, input);
  const ask = async <Name extends EndpointName>(
    name: Name,
    input: CallInput<Name>,
    shape: z.ZodType | undefined,
    tell: (status: number) => void = () => undefined,
  ): Promise<unknown> => {
    const request = toRequest(name, input);
    const answer = await parts.send(request).catch((error: unknown) => {
      throw error instanceof TransportFailure ? toFailureError(request, error) : error;
    });
    tell(answer.status);
    const isBehind = answer.status === 404 && endpointTable[name].list && isLaterPage(input.query);
    if (!isBehind) return readResponse(shape, request, answer);
    return shape?.parse({ results: [], message: PAGE_MISSING });
  };
  const as: Call["as"] = async (name, input, shape) =>
    (await ask(name, input, shape)) as z.output<typeof shape>;
  const call = async <Name extends EndpointName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<ResponseOf<Name>> => {
    const shape = endpointTable[name].response;
    return (await ask(name, input, shape)) as ResponseOf<Name>;
  };
  const withStatus: Call["withStatus"] = async (name, input) => {
    let status = 0;
    const body = await ask(name, input, endpointTable[name].response, (told) => (status = told));
    return { status, body: body as ResponseOf<typeof name> };
  };
  const loosely: Call["loosely"] = async (name, input) => {
    const request = { ...toRequest(name, input), expect: "nothing" as const };
    const answer = await parts.send(request).catch((error: unknown) => {
      throw error instanceof TransportFailure ? toFailureError(request, error) : error;
    });
    if (!isSuccess(answer)) throw toAnswerError(request, answer);
    return readShape(name, answer);
  };
  const file: Call["file"] = async (name, input, { type, maxBytes }) => {
    const asked = toRequest(name, input);
    const headers = { ...asked.headers, accept: type };
    const request = { ...asked, headers, maxBytes, expect: "bytes" as const };
    const answer = await parts.send(request).catch((error: unknown) => {
      throw error instanceof TransportFailure ? toFailureError(request, error) : error;
    });
    if (!isSuccess(answer)) throw toAnswerError(request, answer);
    const got = answer.headers.get("content-type") ?? "";
    if (got === type) return answer.body;
    throw new AppError(
      "answer-unusable",
      `${request.label} must answer ${type}, got ${got || "no content type"}`,
    );
  };
  return Object.assign(call, { toRequest, withStatus, loosely, as, file });
}

function makeRequest<Name extends EndpointName>(
  parts: CallParts,
  name: Name,
  input: CallInput<Name>,
): ApiRequest {
  const { methods, class: requestClass, response } = endpointTable[name];
  const path = toPath(name, input.params);
  const url = new URL(`.${path}`, parts.root);
  // An empty id, or one of dots, would change the path.
  invariant(
    url.pathname === `${parts.root.pathname}${path.slice(1)}` && !path.includes("//"),
    `the parameters of ${path} must be ids`,
  );
  const query: Readonly<Record<string, string | number | boolean | undefined>> = input.query ?? {};
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  const hasBody = input.body !== undefined;
  return {
    method: methods[0],
    url: url.href,
    headers: {
      accept: "application/json",
      authorization: parts.authorization,
      "user-agent": "makeready",
      ...(hasBody && { "content-type": "application/json" }),
    },
    ...(hasBody && { body: JSON.stringify(input.body) }),
    timeoutMs: parts.timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    class: requestClass,
    label: `${methods[0]} ${path}`,
    wants: wantWords[name],
    expect: response === undefined ? "nothing" : "json",
    waitSignal: parts.signal,
  };
}

function readShape<Name extends EndpointName>(
  name: Name,
  answer: WireAnswer,
): ResponseOf<Name> | undefined {
  const json = readJson(answer);
  const read = endpointTable[name].response?.safeParse(
    readDialect(json.ok ? json.value : undefined),
  );
  return read?.success === true ? (read.data as ResponseOf<Name>) : undefined;
}

/** Some servers answer 404 for the page after the last one. */
const isLaterPage = (query: unknown): boolean =>
  Number((query as { readonly page?: unknown } | undefined)?.page ?? 1) > 1;

function readResponse(
  shape: z.ZodType | undefined,
  request: ApiRequest,
  answer: WireAnswer,
): unknown {
  if (!isSuccess(answer) || isUnusable(request, answer)) throw toAnswerError(request, answer);
  if (shape === undefined) return undefined;
  const json = readJson(answer);
  const read = shape.safeParse(readDialect(json.ok ? json.value : undefined));
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => ({
    message: issue.message,
    where: { field: issue.path.join(".") },
  }));
  const words = problems.map(({ message, where }) => `${where.field}: ${message}`).join("; ");
  throw new AppError(
    "answer-unusable",
    `${request.label} must answer what the API describes, got ${headOf(words, 500)}`,
    { problems },
  );
}
