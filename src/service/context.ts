/** What handlers get. */
import type { EndpointName, ParsedBodyOf, ParsedQueryOf, PathParamsOf } from "../api/endpoints.ts";
import type { Clock } from "../base/time/clock.ts";
import type { Ids } from "../base/ids/ids.ts";
import type { Log } from "../base/log.ts";

import type { Addresses } from "./addresses.ts";
import type { Caller } from "./auth/accounts.ts";
import type { Callers } from "./auth/callers.ts";
import type { Plan } from "./auth/plan.ts";
import type { Artwork } from "./designs/artwork.ts";
import type { Template } from "./designs/built-in.ts";
import type { Drawings } from "./designs/drawing.ts";
import type { Logos } from "./designs/logos.ts";
import type { OwnTemplates } from "./designs/own.ts";
import type { FetchFile } from "./http/guarded-fetch.ts";
import type { Reply } from "./http/reply.ts";
import type { DiskWatch } from "./store/disk-watch.ts";
import type { Media } from "./store/media.ts";
import type { Store } from "./store/store.ts";
import type { Db } from "./store/tables.ts";

/** The parts of a running service. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly disk: DiskWatch;
  readonly addresses: Addresses;
  readonly callers: Callers;
  readonly drawings: Drawings;
  readonly media: Media;
  readonly artwork: Artwork;
  readonly logos: Logos;
  readonly fetch: FetchFile;
  readonly plan: Plan;
  readonly builtIn: readonly Template[];
  readonly ownTemplates: OwnTemplates;
}

/** One request, parsed and allowed. */
export interface Call<Name extends EndpointName> {
  readonly params: PathParamsOf<Name>;
  readonly query: ParsedQueryOf<Name>;
  readonly body: ParsedBodyOf<Name>;
  readonly caller: Caller;
  readonly url: URL;
  /** The header `Accept` as it was sent; empty when it is missing. */
  readonly accept: string;
  /** A create that finds the thing there answers it and changes nothing. */
  readonly onlyMakes: boolean;
  /**
   * Runs the transaction of a create: commits what `work` did together with the answer for the
   * request's `Idempotency-Key`, if it has one.
   */
  readonly commit: (work: (tx: Db) => Promise<Reply>) => Promise<Reply>;
}

export type Handler<Name extends EndpointName> = (call: Call<Name>) => Promise<Reply>;

/** One handler for every endpoint of the table. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };
