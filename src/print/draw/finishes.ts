/** White underbase and varnish on the labels of a sheet. */
import { bleedRoom, roomSquare } from "../art/check-art.ts";
import type { Face } from "../fonts/face.ts";
import { growBox } from "../../qr/draw/outline.ts";
import type { BoxMm } from "../layout/box.ts";
import { codeSquare } from "../layout/label-layout.ts";
import { type Finish, finishSteps } from "../layout/finish.ts";
import { cellBox } from "../layout/label-sheet.ts";
import { toPageX, toPageY } from "../layout/page-frame.ts";
import type { SheetJob } from "../sheet-job.ts";
import { symbolsOn } from "../symbols/face-symbols.ts";
import { OVERPRINT_STATE } from "./content-stream.ts";
import { ellipsePath, roundedPath } from "./shapes.ts";

/** The rooms of a face's codes and symbols with their quiet zones, from the label's top left corner. */
function codeRooms(face: Face): BoxMm[] {
  const { art, rooms } = face;
  const codes = rooms.map((room) =>
    art === undefined ? codeSquare(room, room.codeSideMm) : roomSquare(room),
  );
  return [...codes, ...symbolsOn(face).map(({ item }) => item.at)];
}

function outline(job: SheetJob, cell: BoxMm, { chokeMm }: Finish): string {
  const { sheet, frame } = job;
  const room = bleedRoom(sheet, job.bleedMm);
  const by = chokeMm > 0 ? -chokeMm : Math.min(room.x, room.y);
  const { x, y, width, height } = growBox(cell, by);
  const [left, bottom] = [toPageX(frame, x), toPageY(frame, y + height)];
  if (sheet.label.shape !== "rectangle") return ellipsePath(left, bottom, { width, height });
  const { cornerRadiusMm } = sheet.label;
  const radius = cornerRadiusMm === 0 ? 0 : Math.max(0, cornerRadiusMm + by);
  return roundedPath(left, bottom, { width, height, radius });
}

function roomPaths({ frame }: SheetJob, face: Face, cell: BoxMm): string {
  return codeRooms(face)
    .map(({ x, y, width, height }) => {
      const left = toPageX(frame, cell.x + x);
      const bottom = toPageY(frame, cell.y + y + height);
      return roundedPath(left, bottom, { width, height, radius: 0 });
    })
    .join("");
}

function pathOf(job: SheetJob, face: Face, { finish, cell }: { finish: Finish; cell: BoxMm }) {
  if (finish.area === "codes") return roomPaths(job, face, cell);
  const whole = outline(job, cell, finish);
  return finish.area === "label" ? whole : whole + roomPaths(job, face, cell);
}

/** Cells with labels, counted row by row from 0; undefined: all of them. */
export type LabelledCells = ReadonlySet<number> | undefined;

/** A finish on the labels of a sheet: overprinting, in its plate, on its layer. */
export function drawFinish(
  job: SheetJob,
  face: Face,
  { finish, cells }: { readonly finish: Finish; readonly cells: LabelledCells },
): string {
  const { space, layer } = finishSteps[finish.kind];
  const { columns, perSheet } = face.sheet;
  let fills = "";
  for (let index = 0; index < perSheet; index += 1) {
    if (cells !== undefined && !cells.has(index)) continue;
    const cell = cellBox(face.sheet, Math.floor(index / columns), index % columns);
    // The even-odd rule leaves out what lies in the outline.
    fills += `${pathOf(job, face, { finish, cell })}f*\n`;
  }
  return `/OC /${layer} BDC\nq /${OVERPRINT_STATE} gs /${space} cs 1 scn\n${fills}Q\nEMC\n`;
}
