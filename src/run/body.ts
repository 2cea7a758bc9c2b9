import type { CodeCreate } from "../api/code.ts";
import { sha256 } from "../base/ids/ids.ts";
import type { StateRow, Wanted } from "../state/row.ts";

export interface BodyContext {
  readonly workspace: string;
  /** Folder path -> id on the server. */
  readonly folderId: (path: string) => string;
  /** Template name or id -> id on the server. */
  readonly templateId: (name: string) => string;
}

/**
 * The body of a create (docs/spec/api.md section 4.1) for a wish. The same wish gives the same
 * body.
 */
export function toCreateBody(wanted: Wanted, context: BodyContext): CodeCreate {
  const { template, logo_file: _comesLater, ...design } = wanted.design;
  const body: Record<string, unknown> = {
    workspace: context.workspace,
    qr_type: wanted.type,
    dynamic: wanted.dynamic,
    ...(wanted.qrData !== null && { qr_data: wanted.qrData }),
    ...(wanted.displayName !== "" && { display_name: wanted.displayName }),
    ...(wanted.folder !== null && { folder: context.folderId(wanted.folder) }),
    ...(wanted.gpsTracking && { gps_tracking: true }),
    ...(wanted.domain !== null && { domain: wanted.domain }),
    ...(wanted.vcard !== null && { vcard: wanted.vcard }),
    ...(wanted.gs1Product !== null && { gs1_product: wanted.gs1Product }),
    ...(template !== undefined && { template: context.templateId(String(template)) }),
    ...design,
  };
  return body as CodeCreate;
}

export function toBodyHash(body: object): string {
  return sha256(JSON.stringify(body)).slice(0, 32);
}

/** The wish that was or will be sent for a row: in doubt that of its first send, else today's. */
export function toSentWish(row: StateRow): Wanted {
  return row.state === "doubt" && row.made !== null ? row.made : row.wanted;
}

/** The display name on the server: with `run.marker` it carries the row's reference. */
export function toSentName(row: StateRow, marker: boolean, ref: string | null = row.ref): string {
  const { displayName } = toSentWish(row);
  return marker && ref !== null ? `${displayName} #${ref}`.trim() : displayName;
}
