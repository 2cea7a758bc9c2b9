/** The API as a screen asks it: typed by the endpoint table, refusals thrown. */
import type { BodyOf, EndpointName, PathParamsOf, ResponseOf } from "../api/endpoints.ts";
import { readErrorBody } from "../api/errors.ts";
import type { Session } from "../service/auth/sessions.ts";
import type { ConsoleService, ConsoleVisit } from "../service/owner/port.ts";

type Query = Readonly<Record<string, string | undefined>>;

interface Asked<Name extends EndpointName> {
  readonly params: PathParamsOf<Name>;
  /** What is undefined or empty is left out. */
  readonly query?: Query;
  readonly body?: BodyOf<Name>;
}

/** Something that the API refused, in its own words. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
  readonly status: number;
  readonly lines: readonly string[];

  constructor(status: number, lines: readonly string[]) {
    super(`${status} ${lines.join(" ")}`);
    this.status = status;
    this.lines = lines;
  }
}

export type Api = <Name extends EndpointName>(
  name: Name,
  asked: Asked<Name>,
) => Promise<ResponseOf<Name>>;

const toQuery = (query: Query = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
    ),
  );

export function makeApi(service: ConsoleService, session: Session, visit: ConsoleVisit): Api {
  return async (name, { params, query, body }) => {
    const given: Readonly<Record<string, string>> = params;
    const call = { name, params: given, query: toQuery(query), body };
    const response = await service.call(session, visit, call);
    const text = await response.text();
    const isJson = /json/u.test(response.headers.get("content-type") ?? "");
    const value = isJson && text !== "" ? (JSON.parse(text) as unknown) : undefined;
    if (response.status >= 400) throw new ApiRefusal(response.status, readErrorBody(value));
    return value as never;
  };
}
