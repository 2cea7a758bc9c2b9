/** The labels of a sheet as boxes that can be ticked. */
import { showKey } from "../../../base/shapes/row-key.ts";
import type { SheetFace } from "../../../pipeline/preview/sheet-face.ts";
import { countIn } from "../../view/figures.tsx";
import type { Part } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";
import type { MapCell } from "./sheet-map.ts";
import { isTicked, keep, KEPT, toField, type Tick } from "./ticked.ts";

/** Units of the picture to a millimetre: boxes to tick are drawn in them. */
const UNITS = 4;

interface Marks {
  readonly words: Words;
  /** A row may have several labels. */
  readonly isSeveral: boolean;
  /** Keys whose codes are void. */
  readonly gone: ReadonlySet<string>;
  /** Those of the shown sheet. */
  readonly ticks: readonly Tick[];
}

function nameOf({ row, column, key }: MapCell, { words, gone }: Marks): string {
  const name = words.result.label(showKey(key), String(row), String(column));
  return gone.has(key) ? `${name}, ${words.units.isVoid}` : name;
}

const Box = ({ cell, ...marks }: Marks & { readonly cell: MapCell }) => (
  <label class={marks.gone.has(cell.key) ? "spoiled void" : "spoiled"} title={nameOf(cell, marks)}>
    <input
      type="checkbox"
      {...toField(cell, marks.isSeveral)}
      checked={isTicked(marks.ticks, cell)}
      aria-label={nameOf(cell, marks)}
      autocomplete="off"
    />
  </label>
);

/** The page as it is printed, each label with a box over it. */
export function Sheet({
  cells,
  face,
  picture,
  ...marks
}: Marks & {
  readonly cells: readonly MapCell[];
  readonly face: SheetFace;
  readonly picture: string;
}) {
  const { widthMm, heightMm } = face;
  const size = { width: widthMm * UNITS, height: heightMm * UNITS };
  return (
    <svg
      class="sheet-map"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="group"
      aria-label={marks.words.result.sheets}
    >
      <image href={picture} {...size} preserveAspectRatio="none" />
      {cells.map((cell) => {
        const { x, y, width, height } = face.boxOf(cell.row, cell.column);
        return (
          <foreignObject x={x * UNITS} y={y * UNITS} width={width * UNITS} height={height * UNITS}>
            <Box cell={cell} {...marks} />
          </foreignObject>
        );
      })}
    </svg>
  );
}

/** Where the labels can't be placed on the picture: the label sheet was changed since. */
export function List({ cells, ...marks }: Marks & { readonly cells: readonly MapCell[] }) {
  return (
    <div class="ticks">
      {cells.map((cell) => (
        <label>
          <input
            type="checkbox"
            {...toField(cell, marks.isSeveral)}
            checked={isTicked(marks.ticks, cell)}
            autocomplete="off"
          />
          {marks.gone.has(cell.key) ? <s>{nameOf(cell, marks)}</s> : nameOf(cell, marks)}
        </label>
      ))}
    </div>
  );
}

/** Labels that are ticked on other sheets: they can be unticked here. */
export const Elsewhere: Part<{ readonly ticks: readonly Tick[] }> = ({ ticks, words }) => {
  if (ticks.length === 0) return null;
  return (
    <details class="shell">
      <summary>{words.units.elsewhere(countIn(words.language)(ticks.length))}</summary>
      <div class="ticks">
        {ticks.map((tick) => (
          <label>
            <input type="checkbox" name={KEPT} value={keep(tick)} checked autocomplete="off" />
            {showKey(tick.key)}
          </label>
        ))}
      </div>
    </details>
  );
};
