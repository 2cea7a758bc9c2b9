/**
 * What the store holds. Ids are text, times epoch milliseconds, booleans 0 or 1, JSON text, so that
 * one SQL serves SQLite and PostgreSQL.
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
    /** Empty = of a token file of the data folder. */
    name: Generated<string>;
    read_only: Generated<Flag>;
    /** From then on it is refused; null = never. */
    expires: number | null;
    /** When it was used last, to a minute. */
    used: number | null;
  };
  workspaces: {
    id: string;
    account_id: string;
    name: string;
    created: number;
    /** What its Digital Links begin with behind the host: empty, or `/word`; null until it has a product. */
    gs1_stem: string | null;
    /** IANA name; null = UTC. */
    time_zone: string | null;
  };
  folders: {
    id: string;
    workspace_id: string;
    parent_id: string | null;
    name: string;
    /** `name` folded, the order of lists. */
    name_key: string;
    slug: string;
    created: number;
    /** Deleted, as soon as no code refers to it. */
    gone: Flag;
  };
  /** Folders whose codes are unfiled, though not all of them say so yet. */
  folder_leftovers: { folder_id: string; workspace_id: string };
  tags: { id: string; workspace_id: string; title: string; title_key: string; slug: string };
  code_tags: { code_id: string; tag_id: string };
  codes: {
    id: string;
    workspace_id: string;
    /** `link` = the code of a short link, seen through the short link's own endpoints only. */
    kind: "code" | "link";
    /** Strictly increasing per workspace: the order of lists is total. */
    created: number;
    display_name: string;
    qr_type: string;
    /** Link: URL, empty for a hosted PDF. Text: the text. vCard: the contact. GS1: where the product leads. */
    qr_data: string;
    dynamic: Flag;
    /** Of the short link; null for static codes. */
    slug: string | null;
    /** Its link begins in capitals, as it was drawn when it was made. */
    capitals: Flag;
    gps_tracking: Flag;
    folder_id: string | null;
    design: Json;
    vcard: Json | null;
    /** A PDF code's hosted file and what its sender called it. */
    pdf_file: string | null;
    pdf_name: string | null;
    /** A GS1 code's product, and its Digital Link behind the public address. */
    product_id: string | null;
    digital_link: string | null;
    /** Of a landing page's or a form's code: where it leads, behind the public address. */
    hosted_path: string | null;
    /** Names of the files made so far; stale as soon as what is drawn changes. */
    png_file: string | null;
    svg_file: string | null;
    print_file: string | null;
    /** Folded text that `q` looks into. */
    search: string;
  };
  /** Kept by triggers: slugs that codes had before, and the workspaces that may have them again. */
  kept_slugs: { slug: string; workspace_id: string };
  /** Kept by triggers. `what` = a kind of code, or `folder ` and a folder's id (none: unfiled), `dynamic`, or `edits`. */
  counts: { workspace_id: string; what: string; n: number };
  /** Kept by triggers: codes in the order of their making, for the text index. */
  code_index: { n: number; code_id: string; workspace_id: string; kind: string; linked: Flag };
  /** Codes that were scanned, by a small number that scans and packs refer to. */
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
    /** IANA name of the time zone there; empty = not known. */
    zone: string;
  };
  /** Of the lifetime; `first` = scans that were the first of their scanners. */
  scan_totals: { code: number; total: number; first: number };
  /** Who scanned a code, with the time of the last counted scan. */
  scanners: { code: number; scanner_id: string; last: number };
  scans: {
    /** In the order in which they were stored; never used twice. */
    seq: Generated<number>;
    id: string;
    code: number;
    time: number;
    /** When the same scanner scanned the code before; 0 = never, null = a bot, not counted. */
    earlier: number | null;
    scanner_id: string;
    profile: number;
  };
  /** Numbers of deleted codes whose rows are taken out in small steps. */
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
  /** Where a scanner agreed to tell that they are. */
  scan_positions: { scan_id: string; code: number; latitude: number; longitude: number };
  /** Where the events of a workspace are reported; `paused` = since when nothing is sent. */
  webhooks: {
    /** The workspace's own for the receiver that `serve` names. */
    id: string;
    workspace_id: string;
    url: string;
    secret: string;
    /** A list of `WebhookEvent`. */
    events: Json;
    created: number;
    /** In a row. */
    failures: number;
    next_try: number;
    paused: number | null;
    /** Set by the operator: may lead to a private address. */
    trusted: Flag;
  };
  /** Each report once for every receiver that wants it. */
  webhook_outbox: {
    seq: Generated<number>;
    webhook_id: string;
    /** The code or the form that it is about. */
    lane: string;
    event: Generated<string>;
    /** The scan or the response. */
    record_id: string;
    created: number;
    /** Not sent before, unless it is changed. */
    held_until: number;
    body: Json;
  };
  /** Reports of one code or form that wait for one receiver: they go out one by one, in order. */
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
    /** What was sent, for a day: then it can't be sent again. */
    body: Json | null;
  };
  /** Who is signed in to the console; the cookie holds what `hash` is made of. */
  console_sessions: {
    hash: string;
    token_id: string;
    workspace_id: string;
    created: number;
    /** To a minute. */
    used: number;
  };
  /**
   * Kept by triggers: what a code led to (`qr_data`, `vcard`) or looked like (`design`) before its nth change.
   * The last 100 changes of a code are kept.
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
    /** Name of the token; empty where it has none or nobody asked. Null only within the change's transaction. */
    who: string | null;
    /** `console`, or the name of an assistant behind `assistant `; null = the API. */
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
    /** Strictly increasing per workspace, as of codes. */
    created: number;
    /** Null once its code was deleted. */
    code_id: string | null;
    /** Behind `/page/`; also of the code's short link. */
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
    /** Strictly increasing per workspace, as of codes. */
    created: number;
    modified: number;
    /** Null until it is published, and once its code was deleted. */
    code_id: string | null;
    /** Behind `/form/`; null until it is published. */
    slug: string | null;
    status: "Draft" | "Published" | "Closed";
    /** The draft's title, folded. */
    title_key: string;
    /** What is edited, and what respondents see: a `FormContent` each. */
    draft: Json;
    live: Json | null;
    response_count: number;
  };
  form_responses: {
    id: string;
    form_id: string;
    /** Strictly increasing per form. */
    created: number;
    /** The page that it was sent from: sent twice, it counts once. */
    ticket: string;
    completion_s: number;
    answers: Json;
  };
  logos: { hash: string; png: Uint8Array };
  /** Assistants that made themselves known; `used` = when last. */
  oauth_clients: {
    id: string;
    name: string;
    redirect_uris: Json;
    used: number;
    /** 1 = somebody allowed it something, be it long ago. */
    allowed: number;
  };
  /** What assistants were allowed, by an API token and as long as it is valid. */
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
    /** Of the part that all refresh tokens of the grant share. */
    family_hash: string | null;
    refresh_hash: string | null;
    /** Of the code, then of the refresh token. */
    expires: number;
    /** When it was allowed, and when it called last; null = before that was noted, never. */
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
