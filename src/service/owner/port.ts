/**
 * What a console gets from the service that it is part of. Everything it shows or changes goes
 * through the API's own dispatcher as the signed-in account, or through `Owner`; there is no other
 * way.
 */
import type { DesignPatch } from "../../api/design.ts";
import type { EndpointName } from "../../api/endpoints.ts";
import type { Session } from "../auth/sessions.ts";
import type { Render } from "../http/render-port.ts";
import type { Owner } from "./owner.ts";

export interface ConsoleVisit {
  /** Its path without the public prefix. */
  readonly request: Request;
  /** What limits are counted by. */
  readonly ip: string;
  readonly requestId: string;
}

export interface ApiCall {
  readonly name: EndpointName;
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /**
   * A further page of a list that is read as a whole: it counts with the request for the first page.
   * Default false.
   */
  readonly isFurther?: boolean;
  /** A create that finds the thing there answers it (200) and changes nothing. Default false. */
  readonly onlyMakes?: boolean;
}

/** What to draw: a code, with changes of its design; or a template's design on a sample. */
export interface DrawingWish {
  readonly codeId?: string | undefined;
  readonly templateId?: string | undefined;
  readonly workspaceId: string;
  readonly patch: DesignPatch;
}

export interface ShownDrawing {
  readonly svg: string;
  /** Why scanners may fail on it. */
  readonly scan_warnings?: readonly string[];
}

export type SignIn =
  | { readonly secret: string }
  | { readonly refused: "token" }
  | { readonly refused: "brake"; readonly waitS: number };

export interface ConsoleService {
  readonly nowMs: () => number;
  /** Path of the console as browsers see it, without a slash at its end: `/console`. */
  readonly basePath: (request: Request) => string;
  /** What short links begin with. */
  readonly publicUrl: () => string;
  /** The API's root, for commands. */
  readonly apiUrl: (request: Request) => string;
  /** Browsers use TLS to reach the service. */
  readonly isSecure: (request: Request) => boolean;
  /** Another site's page made the visitor's browser send the request. */
  readonly isForeign: (request: Request) => boolean;
  /** A signature of `text` that only this service can make. */
  readonly sign: (text: string) => string;
  readonly readForm: (request: Request, maxBytes: number) => Promise<FormData>;
  readonly signIn: (token: string, visit: ConsoleVisit) => Promise<SignIn>;
  readonly findSession: (secret: string) => Promise<Session | undefined>;
  readonly chooseWorkspace: (
    secret: string,
    session: Session,
    workspaceId: string,
  ) => Promise<void>;
  readonly signOut: (secret: string) => Promise<void>;
  /** Ends every session of the account. */
  readonly signOutEverywhere: (session: Session) => Promise<void>;
  readonly countSessions: (session: Session) => Promise<number>;
  /**
   * One request of the API: counted, limited and refused like any other of its token. Further pages
   * of a list aren't counted; per token, one is read at a time.
   */
  readonly call: (session: Session, visit: ConsoleVisit, call: ApiCall) => Promise<Response>;
  /** An SVG drawing; a design that can't be drawn is a `Refusal`. */
  readonly draw: (session: Session, wish: DrawingWish) => Promise<ShownDrawing>;
  /** What the resolver answers for a Digital Link; no scan is counted. */
  readonly askResolver: (
    url: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  readonly owner: (session: Session) => Owner;
  /** Words for a thrown refusal or AppError; undefined for our own faults. */
  readonly toRefused: (error: unknown) => RefusedWords | undefined;
}

export interface RefusedWords {
  readonly status: number;
  /** Sentences, each after the name of its field if it has one. */
  readonly lines: readonly string[];
}

/** Makes the console of a service: a function that answers requests below `/console`. */
export type MakeConsole = (service: ConsoleService) => (visit: ConsoleVisit) => Promise<Response>;

/** What is mounted on the service's addresses from outside. */
export interface Mounted {
  /** Answers people who sign in below `/console`. Default: no console. */
  readonly console?: MakeConsole | undefined;
  /** Renders labels for valid tokens, at `POST /render/sheets`. Default: not offered. */
  readonly render?: Render | undefined;
}
