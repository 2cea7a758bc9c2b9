/** Inks of the marks on a page: on which plates they stand (docs/spec/print.md section 10). */
import { mmToPt } from "../../base/shapes/units.ts";
import { colorBar } from "../../print/draw/color-bar.ts";
import { BLACK_PLATE, processPlates } from "../../print/draw/plates.ts";
import type { BoxPt } from "../page/page-path.ts";
import type { Painted } from "../page/painted.ts";
import { isDieLine, type PageContext } from "./sheet-context.ts";

const BAR_SLACK_PT = 0.05;

/** The ink of a colour on each of its plates. */
export interface PlateShares {
  readonly plates: readonly string[];
  readonly shares: readonly number[];
}

/** Undefined for colours that marks never have. */
export function sharesOf(
  { inkSets }: Pick<PageContext, "inkSets">,
  { ink }: Painted,
): PlateShares | undefined {
  const plates = inkSets.get(ink.space);
  if (plates !== undefined) return { plates, shares: ink.values };
  const [c, m, y, k = 0] = ink.values;
  const isShade = ink.space === "DeviceCMYK" && c === 0 && m === 0 && y === 0;
  return isShade ? { plates: [BLACK_PLATE.name], shares: [k] } : undefined;
}

/** True for a colour that is solid on every plate of the page's marks. */
export function isMarkInk(context: PageContext, painted: Painted): boolean {
  const found = sharesOf(context, painted);
  return (
    found !== undefined &&
    found.plates.join() === markPlates(context).join() &&
    found.shares.length === found.plates.length &&
    found.shares.every((share) => share === 1)
  );
}

/** The plates that the marks of a page stand on. */
export function markPlates({ inkSets }: Pick<PageContext, "inkSets">): readonly string[] {
  return [...inkSets.values()][0] ?? [BLACK_PLATE.name];
}

interface BarField {
  readonly box: BoxPt;
  readonly shares: readonly number[];
}

const knownBars = new WeakMap<PageContext, readonly BarField[]>();

/** The fields of the colour bar that the page must show, points. */
export function barOf(context: PageContext): readonly BarField[] {
  const known = knownBars.get(context) ?? makeBar(context);
  knownBars.set(context, known);
  return known;
}

function makeBar(context: PageContext): BarField[] {
  const { job, face } = context;
  if (!job.marks.includes("bar")) return [];
  const plates = markPlates(context).map((name) => ({ ...BLACK_PLATE, name }));
  return colorBar(face.sheet, job.frame, plates).map(({ x, y, width, height, shares }) => {
    return { box: [mmToPt(x), mmToPt(y), mmToPt(x + width), mmToPt(y + height)], shares };
  });
}

/** True for a field of the colour bar, in its place and shade. */
export function isBarPatch(context: PageContext, painted: Painted): boolean {
  if (painted.kind !== "fill") return false;
  const found = sharesOf(context, painted);
  return (
    found !== undefined &&
    barOf(context).some(
      ({ box, shares }) =>
        shares.length === found.shares.length &&
        shares.every((share, i) => share === found.shares[i]) &&
        box.every((pt, i) => Math.abs(pt - (painted.box[i] ?? 0)) < BAR_SLACK_PT),
    )
  );
}

const process = processPlates.map(({ name }) => name);

/** Plates of a picture or a designer's page. */
function platesOfPlaced({ face }: PageContext, { kind, object }: Painted): readonly string[] {
  const { plates = [], spots = [] } = face.background ?? {};
  if (kind === "form") return [...plates, ...spots];
  const isFourInks = object?.kind === "image" && object.space === "DeviceCMYK";
  return isFourInks ? process : [BLACK_PLATE.name];
}

/** Plates that the page uses apart from its marks. */
function platesUnder(context: PageContext, painted: Painted): readonly string[] {
  const { kind, ink } = painted;
  if (kind === "form" || kind === "image") return platesOfPlaced(context, painted);
  if (context.inkSets.has(ink.space) || isDieLine(context, painted)) return [];
  const spot = context.spots.get(ink.space);
  if (spot !== undefined) return [spot];
  return ink.values.flatMap((share, i) => (share > 0 ? [process[i] ?? ""] : []));
}

/** Plates of the page that its marks miss, and those that they must not be on. */
export function plateFaults(context: PageContext): string[] {
  const { content, dieSpaces, spots } = context;
  const used = new Set(content.painted.flatMap((painted) => platesUnder(context, painted)));
  const marked = markPlates(context);
  const cutInks = new Set([...dieSpaces].map((space) => spots.get(space)));
  for (const ink of cutInks) if (ink !== undefined) used.delete(ink);
  const missing = [...used].filter((name) => !marked.includes(name));
  const cut = marked.filter((name) => name === "All" || cutInks.has(name));
  return [
    ...missing.map((name) => `marks must stand on every plate, got none on ${name}`),
    ...cut.map((name) => `marks must not be in ${name}: the cutter follows it`),
  ];
}
