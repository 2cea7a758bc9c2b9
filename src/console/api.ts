/** The API for screens: typed by the endpoint table; refusals are thrown. */
import type { BodyOf, EndpointName, PathParamsOf, ResponseOf } from "../api/endpoints.ts";
import { readErrorBody } from "../api/errors.ts";
import type { Session } from "../service/auth/sessions.ts";
import type { ConsoleService, ConsoleVisit } from "../service/owner/port.ts";

const CREATED = 201;

type Query = Readonly<Record<string, string | undefined>>;

interface Asked<Name extends EndpointName> {
  readonly params: PathParamsOf<Name>;
  /** Undefined and empty values are left out. */
  readonly query?: Query;
  readonly body?: BodyOf<Name>;
  /** A further page of a list that is read as a whole. */
  readonly isFurther?: boolean;
}

/** A refusal of the API, in its own words. */
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

/** What a create answers, and whether it made it: what was there already stays as it is. */
export type Make = <Name extends EndpointName>(
  name: Name,
  asked: Asked<Name>,
) => Promise<{ readonly one: ResponseOf<Name>; readonly isNew: boolean }>;

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

/** One page of a list, by its number as the query has it. */
type ReadPage<Entry> = (
  page: string,
  isFurther: boolean,
) => Promise<{ readonly results: readonly Entry[]; readonly next: string | null }>;

/** All entries of a list, page by page: never all in memory, and counted as one read. */
export async function* eachEntry<Entry>(
  read: ReadPage<Entry>,
  isFurther = false,
): AsyncGenerator<Entry> {
  for (let page = 1; ; page += 1) {
    const found = await read(String(page), isFurther || page > 1);
    yield* found.results;
    if (found.next === null) return;
  }
}

/** The entry with an id; reads the list until it is found. */
export async function findEntry<Entry extends { readonly id: string }>(
  id: string,
  read: ReadPage<Entry>,
): Promise<Entry | undefined> {
  for await (const entry of eachEntry(read)) if (entry.id === id) return entry;
  return undefined;
}

export interface Apis {
  readonly api: Api;
  readonly make: Make;
}

export function makeApi(service: ConsoleService, session: Session, visit: ConsoleVisit): Apis {
  const ask = async <Name extends EndpointName>(
    name: Name,
    { params, query, body, isFurther = false }: Asked<Name>,
    onlyMakes: boolean,
  ) => {
    const given: Readonly<Record<string, string>> = params;
    const call = { name, params: given, query: toQuery(query), body, isFurther, onlyMakes };
    const response = await service.call(session, visit, call);
    const text = await response.text();
    const isJson = /json/u.test(response.headers.get("content-type") ?? "");
    const value = isJson && text !== "" ? (JSON.parse(text) as unknown) : undefined;
    if (response.status >= 400) throw new ApiRefusal(response.status, readErrorBody(value));
    return { one: value as ResponseOf<Name>, isNew: response.status === CREATED };
  };
  return {
    api: async (name, asked) => (await ask(name, asked, false)).one,
    make: (name, asked) => ask(name, asked, true),
  };
}
