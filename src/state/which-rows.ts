/**
 * Which rows are meant: every condition over the table of rows, by name. Who asks a state names one of
 * these; SQL is written nowhere else.
 */

import { SHOWN } from "./schema.ts";

/** Every row. */
export const ANY = "1";
/** No row. */
export const NONE = "0";

export const PENDING = "state = 'pending'";
export const IN_DOUBT = "state = 'doubt'";
export const DONE = "state = 'done'";
export const PRESENT_DONE = `presence = 'present' AND ${DONE}`;
/** The server refused them, or they were not clearly found on it. */
const REFUSED = "state IN ('failed', 'conflict')";
/** Refused by the server or by a download. */
export const FAILED = `${REFUSED} OR error IS NOT NULL`;
/** Not sent, on the wire, in doubt. */
const OPEN = "state IN ('pending', 'sending', 'doubt')";

/** Rows that the spreadsheet has no longer. */
export const VANISHED = "presence = 'vanished'";
/** What stands for the content of a code that was filed away when its row had vanished. */
export const FILED_HASH = "filed";
/** Codes that nobody has filed away: of rows that vanished they are what a person must know of. */
export const UNFILED_CODE = `state = 'done' AND remote_id IS NOT NULL AND made_hash IS NOT '${FILED_HASH}'`;
export const VANISHED_WITH_CODE = `${VANISHED} AND ${UNFILED_CODE}`;
export const NOT_VANISHED = "presence <> 'vanished'";
export const PRESENT_PENDING = `presence = 'present' AND ${PENDING}`;
/** Still to be made or changed. */
export const PRESENT_UNSETTLED =
  "presence = 'present' AND state NOT IN ('done', 'failed', 'conflict')";
/** Rows whose time on the server matters. */
export const TO_CREATE = `${IN_DOUBT} OR (${PRESENT_PENDING})`;

/** Made of another content than rows want today. */
export const TO_UPDATE = `${DONE} AND made_hash <> wanted_hash`;

/** Rows that still want something of the server, but for design and tags. */
export const OPEN_CONTENT = `${OPEN} OR (${TO_UPDATE})`;

/** Those whose design names a template, and is still to be given. */
export const OPEN_TEMPLATED = `(${OPEN_CONTENT} OR (${DONE} AND made_design_hash <> design_hash)) AND (json_extract(wanted, '$.design.template') IS NOT NULL
  OR json_extract(made, '$.design.template') IS NOT NULL)`;

/** The folders of rows, as values. */
export const WANTED_FOLDER = "json_extract(wanted, '$.folder')";
export const MADE_FOLDER = "json_extract(made, '$.folder')";

/** Codes that have the design which their rows want, and those that don't. */
export const DESIGNED = `${DONE} AND made_design_hash = design_hash`;
export const TO_RESTYLE = `${DONE} AND made_design_hash <> design_hash`;

/** Rows whose code is not what they want today; `noTags` is the hash of none. */
export const toChange = (noTags: string): string =>
  `${DONE} AND (made_hash <> wanted_hash OR made_design_hash <> design_hash
  OR coalesce(made_tags_hash, '${noTags}') <> tags_hash)`;

/** Rows whose create was in doubt once, and that no audit has looked after yet. */
export const DOUBTED = "doubted_from IS NOT NULL";
export const DOUBTED_SETTLED = `${DOUBTED} AND state IN ('done', 'failed')`;
export const DOUBTED_NOT_OPEN = `${DOUBTED} AND state IN ('done', 'failed', 'pending')`;
/** Of rows that are gone: they may have a code all the same. */
export const MAY_HAVE_CODE = "state IN ('sending', 'doubt', 'conflict')";
/** Rows that the spreadsheet has no longer, but whose codes are still to be looked for. */
const GONE_IN_DOUBT = `presence <> 'present' AND (state IN ('sending', 'doubt')
  OR (${DOUBTED_NOT_OPEN}))`;

export const WITH_SHORT_LINK = "short_link IS NOT NULL";
/** Links that were not made in capitals. */
export const PRESENT_WITH_SMALL_LINK = "presence = 'present' AND short_link GLOB 'http*'";
export const DONE_WITH_SHORT_LINK = `${DONE} AND ${WITH_SHORT_LINK}`;
export const PRESENT_DONE_WITH_SHORT_LINK = `${PRESENT_DONE} AND ${WITH_SHORT_LINK}`;
export const WITH_ARTWORK = "artwork IS NOT NULL";
export const PRESENT_WITH_ARTWORK = `presence = 'present' AND ${WITH_ARTWORK}`;
export const DONE_WITH_ARTWORK = `${DONE} AND ${WITH_ARTWORK}`;
export const PRESENT_DONE_WITH_ARTWORK = `${PRESENT_DONE} AND ${WITH_ARTWORK}`;
/** Those that may lack files; in jobs without files, the short link of a dynamic code. */
export const mayLackFiles = (wantsFiles: boolean): string =>
  wantsFiles
    ? DONE
    : `${DONE} AND short_link IS NULL AND json_extract(coalesce(made, wanted), '$.dynamic')`;

/** Holds for rows with pictures that were not read, or don't say what they must. */
const UNPROVEN =
  "coalesce(json_array_length(artwork, '$.proven'), 0) < json_array_length(artwork, '$.files')";

/** Those of them that are made and of the plan. */
export const PRESENT_DONE_UNPROVEN = `${PRESENT_DONE_WITH_ARTWORK} AND ${UNPROVEN}`;
/** Whose thing exists and is not yet what the row wants; some jobs leave designs as they are. */
const toUnfinished = (keepsDesign: boolean): string =>
  `(${DONE} AND (made_hash <> wanted_hash ${keepsDesign ? "" : "OR made_design_hash <> design_hash"}
    OR (made_tags_hash IS NOT NULL AND made_tags_hash <> tags_hash)
    OR (made_tags_hash IS NULL AND json_array_length(wanted, '$.tags') > 0)))`;

/** Those of them that no error holds up: the next run goes on with them. */
export const presentUnfinished = (keepsDesign: boolean): string =>
  `presence = 'present' AND error IS NULL AND ${toUnfinished(keepsDesign)}`;

/** Those of them that an error holds up: a later call for them was refused. */
export const presentHalfway = (keepsDesign: boolean): string =>
  `presence = 'present' AND error IS NOT NULL AND ${toUnfinished(keepsDesign)}`;

/** Rows whose files may be missing though nothing is refused that comes before them. */
export const mayOnlyLackFiles = (keepsDesign: boolean): string =>
  `${DONE} AND (error IS NOT NULL AND ${toUnfinished(keepsDesign)}) IS NOT TRUE`;

/** Made as wanted, but their files did not come, or were wrong. */
export const PRESENT_DONE_WITHOUT_FILES = `${PRESENT_DONE} AND artwork IS NULL AND error IS NOT NULL
  AND ${toUnfinished(false)} IS NOT TRUE`;

/** Where the rows of a job stand: conditions for one reading. */
export function toStandings(keepsDesign: boolean) {
  const unfinished = toUnfinished(keepsDesign);
  return {
    asWanted: `${DONE} AND ${unfinished} IS NOT TRUE`,
    unfinished: `error IS NULL AND ${unfinished}`,
    open: OPEN,
    refused: REFUSED,
    halfway: `error IS NOT NULL AND ${unfinished}`,
    lostFiles: `${DONE} AND error IS NOT NULL AND ${unfinished} IS NOT TRUE`,
    failed: FAILED,
  };
}

/** Rows of which something is left to ask the server. */
export const TO_ASK = `(presence = 'present' AND (${OPEN}
  OR ${DOUBTED} OR ${toUnfinished(false)})) OR (${GONE_IN_DOUBT})`;

/** Rows for which the next run would do something, or look at them again. */
export function looseEnds(wantsFiles: boolean): string {
  const ends = [
    `state <> 'done' OR error IS NOT NULL OR ${DOUBTED}`,
    toUnfinished(false),
    ...(wantsFiles ? ["artwork IS NULL", UNPROVEN] : []),
  ];
  return `(presence = 'present' AND (${ends.join(" OR ")})) OR (${GONE_IN_DOUBT})`;
}

/** Rows of the plan that no sheet shows: their code is not made, or not known. */
export const PRESENT_NOT_SHOWN = `presence = 'present' AND NOT (${SHOWN})`;
/** Rows whose code stands on no sheet, though it is made. */
/** On a sheet, and of the design that they want as far as this job knows. */
export const PRINTED_AS_WANTED = `${PRESENT_DONE} AND made_design_hash = design_hash AND json_extract(placing, '$.sheets') IS NOT NULL`;
export const SHOWN_WITHOUT_SHEET = `presence = 'present' AND ${SHOWN} AND json_extract(placing, '$.sheets') IS NULL AND json_extract(placing, '$.copies') IS NOT 0`;

/** Rows whose logo comes from a file of this computer. */
export const WITH_LOGO_FILE = "json_extract(wanted, '$.design.logo_file') IS NOT NULL";
