/**
 * What a console is handed of the service that it stands in. All that it shows and changes goes through the
 * API's own dispatcher as the one who is signed in, or through `Owner`: no way leads around either.
 */
import type { DesignPatch } from "../../api/design.ts";
import type { EndpointName } from "../../api/endpoints.ts";
import type { Session } from "../auth/sessions.ts";
import type { Render } from "../http/render-port.ts";
import type { Owner } from "./owner.ts";

export interface ConsoleVisit {
  /** Its path as the service knows it. */
  readonly request: Request;
  /** Whom limits count. */
  readonly ip: string;
  readonly requestId: string;
}

export interface ApiCall {
  readonly name: EndpointName;
  readonly params: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A further page of a list that is read as a whole: it belongs to the request of the first one. Default false. */
  readonly isFurther?: boolean;
}

/** What is drawn: a code as it is, with changes of its design; or a template's design on a sample. */
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
  /** Short links begin with it. */
  readonly publicUrl: () => string;
  /** API's root, as commands need it. */
  readonly apiUrl: (request: Request) => string;
  /** Browsers reach the service over TLS. */
  readonly isSecure: (request: Request) => boolean;
  /** A page of another site sent its visitor's browser here. */
  readonly isForeign: (request: Request) => boolean;
  /** Values that only this service can have made of `text`. */
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
   * One request of the API: counted, limited and refused as any other of its token. Further pages of
   * a list aren't counted; of one token one is read at a time.
   */
  readonly call: (session: Session, visit: ConsoleVisit, call: ApiCall) => Promise<Response>;
  /** An SVG drawing; a design that can't be drawn is a `Refusal`. */
  readonly draw: (session: Session, wish: DrawingWish) => Promise<ShownDrawing>;
  /** What somebody gets who asks for a Digital Link; nothing is counted as a scan. */
  readonly askResolver: (
    url: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<Response>;
  readonly owner: (session: Session) => Owner;
  /** Words for what was thrown: a refusal's or an AppError's; undefined for faults of ours. */
  readonly toRefused: (error: unknown) => RefusedWords | undefined;
}

export interface RefusedWords {
  readonly status: number;
  /** Sentences, each with its field before it where it has one. */
  readonly lines: readonly string[];
}

/** Makes the console of a service: answers what is asked below `/console`. */
export type MakeConsole = (service: ConsoleService) => (visit: ConsoleVisit) => Promise<Response>;

/** What others than the service answer on its addresses. */
export interface Mounted {
  /** Answers people who sign in below `/console`. Default: nobody does. */
  readonly console?: MakeConsole | undefined;
  /** Renders labels for who has a good token, at `POST /render/sheets`. Default: nobody does. */
  readonly render?: Render | undefined;
}
