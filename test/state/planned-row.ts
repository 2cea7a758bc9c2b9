import type { PlannedRow, Wanted } from "../../src/state/row.ts";

/** A wish for a dynamic link, unfiled and plain but for `changes`. */
export function makeWanted(changes: Partial<Wanted> = {}): Wanted {
  return {
    type: "Link",
    dynamic: true,
    qrData: "https://a.example/",
    displayName: "x",
    folder: null,
    tags: [],
    gpsTracking: false,
    vcard: null,
    gs1Product: null,
    domain: null,
    design: {},
    ...changes,
  };
}

/** A row of a plan as state tests need one. */
export function plannedRow(seq: number, changes: Partial<PlannedRow> = {}): PlannedRow {
  return {
    key: `row ${seq}`,
    seq,
    line: seq + 2,
    cells: { Link: `https://a.example/${seq}` },
    wanted: makeWanted({ qrData: `https://a.example/${seq}`, displayName: `row ${seq}` }),
    wantedHash: "w1",
    designHash: "d1",
    tagsHash: "t1",
    placing: { fileBase: `file-${seq}`, zip: "a.zip", sheets: "a.pdf", caption: [] },
    again: false,
    ...changes,
  };
}
