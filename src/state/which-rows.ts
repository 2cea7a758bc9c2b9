/**
 * Named conditions over the table of rows. Callers of the state use these names; SQL is written only
 * here.
 */

import { OTHER_TAGS, SHOWN, UNSETTLED, WITHOUT_LINK } from "./schema.ts";

/**
 * The same condition for rows that have something left: asked of the index of those, not of every row.
 * The plus keeps SQLite from other indexes.
 */
const left = (condition: string): string => `${UNSETTLED} AND +(${condition})`;

/** Every row. */
export const ANY = "1";
/** No row. */
export const NONE = "0";
/** Lists show each row in its own state. */
export const AS_THEY_ARE = { pending: NONE, failed: NONE } as const;

export const PENDING = "state = 'pending'";
export const IN_DOUBT = left("state = 'doubt'");
/** Creates that were sent, and whose answers nobody has seen. */
export const MAYBE_MADE = left("state IN ('sending', 'doubt')");
export const DONE = "state = 'done'";
/** Rows of the last plan that made something. */
export const PRESENT = "presence = 'present'";
export const PRESENT_DONE = `presence = 'present' AND ${DONE}`;
/** The server refused them, or they could not be found clearly. */
const REFUSED = "state IN ('failed', 'conflict')";
/** Refused by the server, or a download failed. */
export const FAILED = left(`${REFUSED} OR error IS NOT NULL`);
/** The server has said that the account's plan allows no more (docs/operating.md). */
export const PRESENT_REFUSED_BY_PLAN = `presence = 'present' AND ${left("state = 'failed' AND json_extract(error, '$.message') LIKE '%plan''s limit of %'")}`;
/** Not sent yet, being sent, or in doubt. */
const OPEN = "state IN ('pending', 'sending', 'doubt')";

/** Rows that the spreadsheet no longer has. */
export const VANISHED = "presence = 'vanished'";
/** Replaces the content hash of a code that was filed away after its row had vanished. */
export const FILED_HASH = "filed";
/** Replaces the hash of a form whose code is gone: it is published again. */
export const UNPUBLISHED = "unpublished";
/** Replaces the hash of what an undo has taken away again, of content or design. */
export const PUT_BACK = "put back";
/** In place of the hash of a design that nobody knows. */
export const UNKNOWN = "unknown";
/** Codes that are as before a run, since it was undone. */
export const PRESENT_UNDONE = `${PRESENT_DONE} AND (made_hash = '${PUT_BACK}' OR made_design_hash = '${PUT_BACK}')`;
/** Those of them whose files did not come. */
export const UNDONE_WITHOUT_FILES = `${PRESENT_UNDONE} AND error IS NOT NULL`;
/** Codes that are not filed away; for vanished rows, people must know about them. */
export const UNFILED_CODE = `state = 'done' AND remote_id IS NOT NULL AND made_hash IS NOT '${FILED_HASH}'`;
/** Rows whose codes sheets have shown, or could show. */
export const WITH_PAYLOAD = SHOWN;
/** Rows of the plan that want a label, and were not refused. */
export const WANTS_LABEL = `json_extract(placing, '$.sheets') IS NOT NULL
  AND json_extract(placing, '$.copies') IS NOT 0 AND NOT (${REFUSED})`;
/** Codes that can be printed, some of which lead to an address that stands for another one (`plan/placeholder.ts`). */
export const MAY_LEAD_NOWHERE = `presence = 'present' AND ${SHOWN}
  AND (wanted LIKE '%example.%' OR wanted LIKE '%.test%' OR wanted LIKE '%.invalid%')`;
/** Codes that can be printed, some of which lead to the device that scans them (`plan/placeholder.ts`). */
export const MAY_LEAD_TO_ITSELF = `presence = 'present' AND ${SHOWN}
  AND (wanted LIKE '%localhost%' OR wanted LIKE '%127.%' OR wanted LIKE '%[::1]%' OR wanted LIKE '%0.0.0.0%')`;
/** Codes that can be printed, some of which join a Wi-Fi network (`plan/odd-text.ts`). */
export const MAY_JOIN_NETWORK = `presence = 'present' AND ${SHOWN} AND wanted LIKE '%wifi:%'`;
/** Rows that ask for no label. */
export const PRESENT_NO_COPIES = "presence = 'present' AND json_extract(placing, '$.copies') = 0";
export const VANISHED_WITH_CODE = `${VANISHED} AND ${UNFILED_CODE}`;
export const VANISHED_FILED = `${VANISHED} AND state = 'done' AND made_hash = '${FILED_HASH}'`;
/** Their codes were deleted: that began a new generation (`RetiredRows.deleted`), which no row wants yet. */
export const VANISHED_DELETED = `${VANISHED} AND ${PENDING} AND generation > 1 AND doubted_from IS NULL`;
/** The row keeps which codes of it were deleted, wherever it is today; rows of an older makeready don't. */
export const WITH_DELETED_CODES = "json_extract(parts, '$.deleted') IS NOT NULL";
/** Rows without a code that had one which their server no longer had (`RetiredRows.gone`). */
export const FORGOTTEN_CODES = left(`state <> 'done' AND parts LIKE '%"was":%'`);
export const VANISHED_DELETED_UNNAMED = `${VANISHED_DELETED} AND json_extract(parts, '$.deleted') IS NULL`;
/** The spreadsheet has them, but as bad rows: their codes stay as they are. */
export const BAD_WITH_CODE = `presence = 'bad' AND ${UNFILED_CODE}`;
export const NOT_VANISHED = "presence <> 'vanished'";
export const PRESENT_PENDING = `presence = 'present' AND ${PENDING}`;
/** Still to be made or changed. */
export const PRESENT_UNSETTLED = `presence = 'present' AND ${left("state NOT IN ('done', 'failed', 'conflict')")}`;
/** Rows for which the server's time matters. */
export const TO_CREATE = `state = 'doubt' OR (${PRESENT_PENDING})`;

/** Made with other content than rows want now. */
export const TO_UPDATE = left(`${DONE} AND made_hash <> wanted_hash`);

/** Rows that still need something from the server, other than design and tags. */
export const OPEN_CONTENT = left(`${OPEN} OR (${TO_UPDATE})`);

/** Rows whose design names a template and is still to be set. */
export const OPEN_TEMPLATED =
  left(`(${OPEN_CONTENT} OR (${DONE} AND made_design_hash <> design_hash)) AND (json_extract(wanted, '$.design.template') IS NOT NULL
  OR json_extract(made, '$.design.template') IS NOT NULL)`);

/** The folders of rows, as values. */
export const WANTED_FOLDER = "json_extract(wanted, '$.folder')";
export const MADE_FOLDER = "json_extract(made, '$.folder')";

/** Codes with the design of their rows, and codes without it. */
export const DESIGNED = `${DONE} AND made_design_hash = design_hash`;
export const TO_RESTYLE = left(`${DONE} AND made_design_hash <> design_hash`);

/** Rows whose code isn't what they want now; `noTags` is the hash of no tags. */
export const toChange = (noTags: string): string =>
  left(`${DONE} AND (made_hash <> wanted_hash OR made_design_hash <> design_hash
  OR coalesce(made_tags_hash, '${noTags}') <> tags_hash)`);

/** Rows whose create was once in doubt and that no audit has checked yet. */
const WAS_IN_DOUBT = "doubted_from IS NOT NULL";
export const DOUBTED = left(WAS_IN_DOUBT);
export const DOUBTED_SETTLED = left(`${WAS_IN_DOUBT} AND state IN ('done', 'failed')`);
export const DOUBTED_NOT_OPEN = left(`${WAS_IN_DOUBT} AND state IN ('done', 'failed', 'pending')`);
/** For vanished rows: they may have a code all the same. */
export const MAY_HAVE_CODE = "state IN ('sending', 'doubt', 'conflict')";
/** A code that is there, or may be: none that was deleted, none that its server refused. */
export const HAS_OR_MAY_HAVE_CODE = `remote_id IS NOT NULL OR ${MAY_HAVE_CODE}`;
export const VANISHED_MAY_HAVE_CODE = `${VANISHED} AND ${MAY_HAVE_CODE}`;
/** Rows that the spreadsheet no longer has, but whose codes are still searched for. */
const GONE_IN_DOUBT = `presence <> 'present' AND (state IN ('sending', 'doubt')
  OR (${WAS_IN_DOUBT} AND state IN ('done', 'failed', 'pending')))`;

export const DONE_WITHOUT_LINK = left(`${DONE} AND ${WITHOUT_LINK}`);
/** Those of them that no error explains: the next run fetches the link. */
const LINK_TO_COME = `${DONE} AND ${WITHOUT_LINK} AND error IS NULL`;
export const PRESENT_LINK_TO_COME = `presence = 'present' AND ${left(LINK_TO_COME)}`;
export const WITH_SHORT_LINK = "short_link IS NOT NULL";
/** Scheme and host of a short link, in small letters, as a value. */
export const LINK_ORIGIN =
  "lower(substr(short_link, 1, 7 + instr(substr(short_link || '/', 9), '/')))";
/** Links that were not made in capitals. */
export const PRESENT_WITH_SMALL_LINK = "presence = 'present' AND short_link GLOB 'http*'";
export const DONE_WITH_SHORT_LINK = `${DONE} AND ${WITH_SHORT_LINK}`;
/** Codes whose short links begin with one of `origins`. */
export const atOrigins = (origins: readonly string[]): string =>
  `${WITH_SHORT_LINK} AND ${LINK_ORIGIN} IN (${origins.map((one) => `'${one.replaceAll("'", "''")}'`).join(", ")})`;
/** Codes that hold an address of their server; the text of static ones is their own. */
export const DONE_WITH_ADDRESS = `${DONE} AND (${WITH_SHORT_LINK} OR json_extract(coalesce(made, wanted), '$.dynamic'))`;
export const PRESENT_DONE_WITH_ADDRESS = `presence = 'present' AND ${DONE_WITH_ADDRESS}`;
export const GONE_WITH_ADDRESS = `presence <> 'present' AND ${DONE_WITH_ADDRESS}`;
export const PRESENT_DONE_WITH_SHORT_LINK = `${PRESENT_DONE} AND ${WITH_SHORT_LINK}`;
export const WITH_ARTWORK = "artwork IS NOT NULL";
/** Rows that the last plan had no good row of; asked of the index of presences. */
export const GONE_WITH_ARTWORK = `presence IN ('vanished', 'bad') AND ${WITH_ARTWORK}`;
/** Files of these rows have a name, or had it. */
export const WITH_FILE_NAME = `${WITH_ARTWORK} OR remote_id IS NOT NULL OR (${NOT_VANISHED} AND ${FORGOTTEN_CODES})`;
export const PRESENT_WITH_ARTWORK = `presence = 'present' AND ${WITH_ARTWORK}`;
/** Put back by an undo that did not end, or on the way there: their pictures show them as before it. */
export const UNDONE_WITHOUT_PICTURES = `${PRESENT_DONE} AND artwork IS NULL
  AND (made_hash = '${PUT_BACK}' OR made_design_hash IN ('${PUT_BACK}', '${UNKNOWN}'))`;
export const DONE_WITH_ARTWORK = `${DONE} AND ${WITH_ARTWORK}`;
export const PRESENT_DONE_WITH_ARTWORK = `${PRESENT_DONE} AND ${WITH_ARTWORK}`;
/** Rows that may lack files; in jobs without files, the short link of a dynamic code. */
export const mayLackFiles = (wantsFiles: boolean): string =>
  wantsFiles ? DONE : DONE_WITHOUT_LINK;

/** Rows with pictures that were not read, or whose code is wrong. */
const UNPROVEN =
  "coalesce(json_array_length(artwork, '$.proven'), 0) < json_array_length(artwork, '$.files')";

/** Those of them that are made and in the plan, and not to be fetched anew. */
export const PRESENT_DONE_UNPROVEN = `${PRESENT_DONE_WITH_ARTWORK} AND ${UNPROVEN}
  AND json_extract(artwork, '$.spoiled') IS NULL`;
/** Rows whose thing exists but isn't what they want yet; some jobs leave designs as they are. */
const toUnfinished = (keepsDesign: boolean): string =>
  `(${DONE} AND (made_hash <> wanted_hash ${keepsDesign ? "" : "OR made_design_hash <> design_hash"}
    OR ${OTHER_TAGS}))`;

/** Those of them without an error: the next run continues with them. */
export const presentUnfinished = (keepsDesign: boolean): string =>
  `presence = 'present' AND ${left(`error IS NULL AND ${toUnfinished(keepsDesign)} AND (${PRESENT_UNDONE}) IS NOT TRUE`)}`;

/** Those of them with an error: a later call for them was refused. */
export const presentHalfway = (keepsDesign: boolean): string =>
  `presence = 'present' AND ${left(`error IS NOT NULL AND ${toUnfinished(keepsDesign)} AND (${PRESENT_UNDONE}) IS NOT TRUE`)}`;

/** Those of the latter whose code is known: sheets and files show it as it was, or as it was to be. */
export const shownHalfway = (keepsDesign: boolean): string =>
  `${presentHalfway(keepsDesign)} AND +(${SHOWN})`;

/** Rows that may lack files although no earlier step was refused. */
const mayOnlyLackFiles = (keepsDesign: boolean): string =>
  `${DONE} AND (error IS NOT NULL AND ${toUnfinished(keepsDesign)}) IS NOT TRUE`;

/** Those of them that the next run does not change. */
export const mayOnlyLackFilesNow = (keepsDesign: boolean): string =>
  `${mayOnlyLackFiles(keepsDesign)} AND (${presentUnfinished(keepsDesign)}) IS NOT TRUE`;

/** Made as wanted, but without files, or with wrong ones. */
export const PRESENT_DONE_WITHOUT_FILES = `presence = 'present' AND ${left(`${DONE} AND artwork IS NULL
  AND error IS NOT NULL AND ${toUnfinished(false)} IS NOT TRUE`)}`;

/** Rows whose pictures, once they are fetched, change the archive that holds them. */
export const TO_PACK_ANEW = `(${PRESENT_DONE_WITHOUT_FILES})
  OR (${PRESENT_DONE} AND json_extract(artwork, '$.spoiled') = 'wrong')`;
/** The archive of a row, as a value. */
export const ZIP_NAME = "json_extract(placing, '$.zip')";

/** Rows of the plan with which a run has, or may have, something left to do. */
export const PRESENT_LEFT = `presence = 'present' AND ${UNSETTLED}`;

/** The standing of such rows: conditions for one pass. */
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

/** Rows for which the server still has to be asked something. */
export const TO_ASK = left(`(presence = 'present' AND (${OPEN}
  OR ${WAS_IN_DOUBT} OR ${toUnfinished(false)})) OR (${GONE_IN_DOUBT})`);

/** Rows for which the next run would do something, or that it would check again. */
export function looseEnds(wantsFiles: boolean): string {
  const ends = `state <> 'done' OR error IS NOT NULL OR ${WAS_IN_DOUBT} OR ${toUnfinished(false)}`;
  const rows = wantsFiles ? `${ends} OR artwork IS NULL OR ${UNPROVEN}` : ends;
  const all = `(presence = 'present' AND (${rows})) OR (${GONE_IN_DOUBT})`;
  return wantsFiles ? all : left(all);
}

/** Rows of the plan whose codes can be printed. */
export const PRESENT_SHOWN = `presence = 'present' AND ${SHOWN}`;
/** Rows of the plan that are on no sheet: their code isn't made, or isn't known. */
export const PRESENT_NOT_SHOWN = `presence = 'present' AND ${left(`NOT (${SHOWN}) AND NOT (${LINK_TO_COME})`)}`;
/** Rows whose code is made but on no sheet. */
/** On a sheet or with files, in the design that they want, as far as this job knows. */
export const SEEN_AS_WANTED = `${PRESENT_DONE} AND made_design_hash = design_hash
  AND (json_extract(placing, '$.sheets') IS NOT NULL OR ${WITH_ARTWORK})`;
export const SHOWN_WITHOUT_SHEET = `presence = 'present' AND ${SHOWN} AND json_extract(placing, '$.sheets') IS NULL AND json_extract(placing, '$.copies') IS NOT 0`;

/** Rows whose product was on the server before they registered it, and nobody was told yet. */
export const WAS_THERE = "json_extract(parts, '$.wasThere')";

/** Rows with a logo from a local file, and something left to do. */
export const WITH_LOGO_FILE = left("json_extract(wanted, '$.design.logo_file') IS NOT NULL");
