/**
 * The tables of the store. Ids are text, times epoch milliseconds, booleans 0 or 1, JSON text, so
 * that one SQL works with SQLite and PostgreSQL.
 */
import type { Generated, Kysely, Selectable } from "kysely";

type Flag = number;
type Json = string;

export interface Tables {
  meta: { key: string; value: string };
  accounts: { id: string; name: string; created: number };
  tokens: {
    id: string;
    account_id: string;
    hash: string;
    created: number;
    /** Empty = a token of a file in the data folder. */
    name: Generated<string>;
    read_only: Generated<Flag>;
    /** Refused from this time on; null = never. */
    expires: number | null;
    /** Its last use, to a minute. */
    used: number | null;
  };
  workspaces: {
    id: string;
    account_id: string;
    name: string;
    created: number;
    /**
     * The beginning of its Digital Links after the host: empty, or `/word`; null until it has a
     * product.
     */
    gs1_stem: string | null;
    /** IANA name; null = UTC. */
    time_zone: string | null;
  };
  folders: {
    id: string;
    workspace_id: string;
    parent_id: string | null;
    name: string;
    /** `name` folded, for the order of lists. */
    name_key: string;
    slug: string;
    created: number;
    /** Deleted, but codes still refer to it. */
    gone: Flag;
  };
  /** Folders whose codes are unfiled, though some rows don't show it yet. */
  folder_leftovers: { folder_id: string; workspace_id: string };
  tags: { id: string; workspace_id: string; title: string; title_key: string; slug: string };
  code_tags: { code_id: string; tag_id: string };
  codes: {
    id: string;
    workspace_id: string;
    /** `link` = the code of a short link, visible only through the short link's own endpoints. */
    kind: "code" | "link";
    /** Strictly increasing per workspace: lists have a total order. */
    created: number;
    display_name: string;
    qr_type: string;
    /**
     * Link: the URL, empty for a hosted PDF. Text: the text. vCard: the contact. GS1: the product's
     * destination.
     */
    qr_data: string;
    dynamic: Flag;
    /** Slug of the short link; null for static codes. */
    slug: string | null;
    /** Its link begins in capitals, as it was drawn when the code was made. */
    capitals: Flag;
    gps_tracking: Flag;
    folder_id: string | null;
    design: Json;
    vcard: Json | null;
    /** A PDF code's hosted file, and the sender's name for it. */
    pdf_file: string | null;
    pdf_name: string | null;
    /** A GS1 code's product, and its Digital Link after the public address. */
    product_id: string | null;
    digital_link: string | null;
    /** Where a landing page's or a form's code leads, after the public address. */
    hosted_path: string | null;
    /** Names of the files made so far; stale once the drawing changes. */
    png_file: string | null;
    svg_file: string | null;
    print_file: string | null;
    /** Folded text that `q` searches. */
    search: string;
  };
  /** Kept by triggers: slugs that codes had before, and the workspaces that may use them again. */
  kept_slugs: { slug: string; workspace_id: string };
  /**
   * Kept by triggers. `what` = a kind of code, or `folder ` and a folder's id (without one: unfiled),
   * `dynamic`, or `edits`.
   */
  counts: { workspace_id: string; what: string; n: number };
  /** Kept by triggers: codes in the order of creation, for the text index. */
  code_index: { n: number; code_id: string; workspace_id: string; kind: string; linked: Flag };
  /** Codes that were scanned, with a small number that scans and packs refer to. */
  scanned_codes: { number: Generated<number>; code_id: string; workspace_id: string };
  /** What many scans have in common: kind of device ("bot" = not counted) and place. */
  scan_profiles: {
    id: Generated<number>;
    device: string;
    os: string;
    browser: string;
    country: string;
    region: string;
    city: string;
    /** IANA name of the time zone there; empty = unknown. */
    zone: string;
  };
  /** Over the lifetime; `first` = scans that were the first of their scanners. */
  scan_totals: { code: number; total: number; first: number };
  /** Who scanned a code, with the time of the last counted scan. */
  scanners: { code: number; scanner_id: string; last: number };
  scans: {
    /** In the order in which they were stored; never used twice. */
    seq: Generated<number>;
    id: string;
    code: number;
    time: number;
    /** Time of the same scanner's previous scan of the code; 0 = never, null = a bot, not counted. */
    earlier: number | null;
    scanner_id: string;
    profile: number;
  };
  /** Numbers of deleted codes whose rows are removed in small steps. */
  scan_leftovers: { code: number };
  /** Roll-ups: see scan-packs.ts. A day may have several parts. */
  code_packs: { code: number; day: number; part: number; pack: Uint8Array };
  workspace_packs: {
    workspace_id: string;
    kind: "profile" | "code";
    day: number;
    part: number;
    pack: Uint8Array;
  };
  /** Positions that scanners agreed to share. */
  scan_positions: { scan_id: string; code: number; latitude: number; longitude: number };
  /** Where the events of a workspace are reported; `paused` = since when nothing is sent. */
  webhooks: {
    /** The workspace's own id for the receiver that `serve` names. */
    id: string;
    workspace_id: string;
    url: string;
    secret: string;
    /** A list of `WebhookEvent`. */
    events: Json;
    created: number;
    /** Failures in a row. */
    failures: number;
    next_try: number;
    paused: number | null;
    /** Set by the operator: may have a private address. */
    trusted: Flag;
  };
  /** Each report, once for every receiver that gets it. */
  webhook_outbox: {
    seq: Generated<number>;
    webhook_id: string;
    /** The code or the form that it is about. */
    lane: string;
    event: Generated<string>;
    /** The scan or the response. */
    record_id: string;
    created: number;
    /** Not sent earlier, unless it is changed. */
    held_until: number;
    body: Json;
  };
  /** Reports of one code or form for one receiver: they are sent one by one, in order. */
  webhook_lanes: { webhook_id: string; lane: string; attempts: number; next_try: number };
  webhook_deliveries: {
    seq: Generated<number>;
    webhook_id: string;
    lane: string;
    event: Generated<string>;
    record_id: string;
    time: number;
    attempt: number;
    /** The receiver's status; null when none came. */
    status: number | null;
    fault: string | null;
    took_ms: number;
    /** What was sent, kept for a day: afterwards it can't be sent again. */
    body: Json | null;
  };
  /** Who is signed in to the console; `hash` is the hash of the cookie's secret. */
  console_sessions: {
    hash: string;
    token_id: string;
    workspace_id: string;
    created: number;
    /** To a minute. */
    used: number;
  };
  /**
   * Kept by triggers: where a code led (`qr_data`, `vcard`) or how it looked (`design`) before its
   * nth change. The last 100 changes of a code are kept.
   */
  code_history: {
    code_id: string;
    n: number;
    workspace_id: string;
    what: "destination" | "design";
    qr_data: string | null;
    vcard: Json | null;
    design: Json | null;
    time: number;
    /**
     * Name of the token; empty when it has no name or no caller made the change. Null only within the
     * change's transaction.
     */
    who: string | null;
    /** `console`, or `assistant ` and a name; null = the API. */
    via: string | null;
  };
  templates: {
    id: string;
    workspace_id: string;
    title: string;
    design: Json;
    created: number;
  };
  products: {
    id: string;
    workspace_id: string;
    created: number;
    identifier_type: string;
    identifier_value: string;
    batch_lot: string | null;
    serial_number: string | null;
    expiry_date: string | null;
    /** Stem and Digital Link path: what the resolver looks up. */
    path: string;
  };
  product_links: {
    id: string;
    product_id: string;
    created: number;
    link_type: string;
    title: string;
    destination_url: string;
    is_default: Flag;
    language: string | null;
    media_type: string;
  };
  pages: {
    id: string;
    workspace_id: string;
    /** Strictly increasing per workspace, like that of codes. */
    created: number;
    /** Null once its code was deleted. */
    code_id: string | null;
    /** After `/page/`; also that of the code's short link. */
    slug: string;
    status: "Draft" | "Published";
    title: string;
    description: string;
    bg_color: string | null;
    text_color: string | null;
    links: Json;
  };
  forms: {
    id: string;
    workspace_id: string;
    /** Strictly increasing per workspace, like that of codes. */
    created: number;
    modified: number;
    /** Null until it is published, and once its code was deleted. */
    code_id: string | null;
    /** After `/form/`; null until it is published. */
    slug: string | null;
    status: "Draft" | "Published" | "Closed";
    /** The draft's title, folded. */
    title_key: string;
    /** The edited version, and the one that respondents see: a `FormContent` each. */
    draft: Json;
    live: Json | null;
    response_count: number;
  };
  form_responses: {
    id: string;
    form_id: string;
    /** Strictly increasing per form. */
    created: number;
    /** Ticket of the page that it was sent from: sent twice, it counts once. */
    ticket: string;
    completion_s: number;
    answers: Json;
  };
  logos: { hash: string; png: Uint8Array };
  /** Assistants that registered; `used` = their last use. */
  oauth_clients: {
    id: string;
    name: string;
    redirect_uris: Json;
    used: number;
    /** 1 = it was allowed something at some time. */
    allowed: number;
  };
  /** What assistants were allowed, by an API token and while the token is valid. */
  oauth_grants: {
    id: string;
    client_id: string;
    token_id: string;
    redirect_uri: string;
    challenge: string;
    code_hash: string;
    /** Null until the code is exchanged. */
    access_hash: string | null;
    access_expires: number | null;
    /** Hash of the part that all refresh tokens of the grant share. */
    family_hash: string | null;
    refresh_hash: string | null;
    /** When the code ends, later the refresh token. */
    expires: number;
    /**
     * When it was allowed, and when it last called; null = allowed before this was recorded; never
     * called.
     */
    created: number | null;
    used: number | null;
  };
  idempotency: {
    token_id: string;
    key: string;
    request_hash: string;
    status: number;
    answer: Json;
    drawing: Json | null;
    created: number;
  };
}

export type CodeRow = Selectable<Tables["codes"]>;
export type TokenRow = Selectable<Tables["tokens"]>;
export type FolderRow = Selectable<Tables["folders"]>;
export type TagRow = Selectable<Tables["tags"]>;
export type ProductRow = Selectable<Tables["products"]>;
export type ProductLinkRow = Selectable<Tables["product_links"]>;
export type PageRow = Selectable<Tables["pages"]>;
export type FormRow = Selectable<Tables["forms"]>;
export type OAuthGrantRow = Selectable<Tables["oauth_grants"]>;
export type CodeHistoryRow = Selectable<Tables["code_history"]>;
export type FormResponseRow = Selectable<Tables["form_responses"]>;

/** A connection or an open transaction. */
export type Db = Kysely<Tables>;
