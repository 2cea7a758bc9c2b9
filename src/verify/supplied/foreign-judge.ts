/** Supplied artwork, held to the rules of our own labels (docs/spec/print.md section 4). */
import { mmToPt, ptToMm } from "../../base/shapes/units.ts";
import { LEAST_PT } from "../../print/fonts/caption.ts";
import { LEAST_MULTI_PT } from "../../print/fonts/text-fit.ts";
import { type Shares, totalOf } from "./foreign-inks.ts";
import type { ForeignMark } from "./foreign-walk.ts";
import type { BoxPt } from "../page/page-path.ts";

/** Least width of lines: thinner ones break up. In one solid ink, and in several or in dots. */
const LEAST_LINE_PT = { solid: 0.15, other: 0.3 };
/**
 * Least resolution of pictures in shades, and of one bit: below it pixels show; far below, it is a
 * thumbnail. Our own limits.
 */
const PPI = { shades: { least: 100, good: 200 }, bits: { least: 200, good: 600 } };
/** How many areas are kept that white text may stand on: the last ones are enough. */
const MAX_AREAS = 400;
const LEAST_AREA_MM = 2;
const SLACK = 0.005;

/** Collects faults: each is reported once, with its first place and its count. */
interface Told {
  readonly says: string;
  readonly place: string;
  readonly isRefused: boolean;
  count: number;
}

interface Area {
  readonly box: BoxPt;
  readonly shares: Shares;
}

export interface JudgedPlace {
  /** Upper left corner of the trimmed page, points. */
  readonly left: number;
  readonly top: number;
  /** From 1. */
  readonly page: number;
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;
const contains = ([left, bottom, right, top]: BoxPt, x: number, y: number): boolean =>
  x >= left && x <= right && y >= bottom && y <= top;

/** Looks at marks one after the other; keeps no more of them than it needs. */
export class ForeignJudge {
  readonly #told = new Map<string, Told>();
  readonly #areas: Area[] = [];
  readonly #at: JudgedPlace;
  /** Inks that a plotter follows, lower case. */
  readonly #cutInk: string | undefined;

  readonly #inkLimit: number;

  /** `inkLimit`: all inks together, as a share of one full ink. */
  constructor(
    at: JudgedPlace,
    { cutInk, inkLimit }: { readonly cutInk: string | undefined; readonly inkLimit: number },
  ) {
    this.#at = at;
    this.#cutInk = cutInk?.toLowerCase();
    this.#inkLimit = inkLimit;
  }

  take(mark: ForeignMark): void {
    if (mark.kind === "image") this.#checkPicture(mark);
    const { shares } = mark;
    if (shares === undefined || mark.kind === "form" || mark.kind === "image") return;
    this.#checkInks(mark, shares);
    if (mark.kind === "stroke") this.#checkLine(mark, shares);
    else if (mark.kind === "text") this.#checkText(mark, shares);
    else this.#noteArea(mark, shares);
  }

  list(isRefused: boolean): string[] {
    return [...this.#told.values()]
      .filter((told) => told.isRefused === isRefused)
      .map(({ says, place, count }) => {
        const others =
          count === 1
            ? ""
            : count === 2
              ? " and at 1 more place"
              : ` and at ${count - 1} more places`;
        return `${says}, at ${place} of page ${this.#at.page}${others}`;
      });
  }

  #tell(kind: string, [left, , , top]: BoxPt, says: string, isRefused: boolean): void {
    const known = this.#told.get(kind);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const mm = [ptToMm(left - this.#at.left), ptToMm(this.#at.top - top)];
    const place = `${mm.map((value) => value.toFixed(1)).join(", ")} mm`;
    this.#told.set(kind, { says, place, isRefused, count: 1 });
  }

  #checkInks({ kind, box, state }: ForeignMark, shares: Shares): void {
    const total = totalOf(shares);
    const limit = this.#inkLimit;
    if (total > limit + SLACK)
      this.#tell("ink", box, `has ${percent(total)} of ink, more than ${percent(limit)}`, true);
    const overprints = kind === "stroke" ? state.overprintStroke : state.overprintFill;
    if (shares.size === 0 && overprints)
      this.#tell(
        `white ${kind}`,
        box,
        `has white ${kind === "text" ? "text" : "areas or lines"} set to overprint, which vanishes`,
        true,
      );
    this.#checkCutInk(box, shares, overprints);
  }

  #checkCutInk(box: BoxPt, shares: Shares, overprints: boolean): void {
    const name = [...shares.keys()].find((ink) => ink.toLowerCase() === this.#cutInk);
    if (name === undefined) return;
    const says = `draws its own outline in ${name}, beside die_line`;
    if (overprints) this.#tell("cut", box, `${says}: the cutter sees two`, false);
    else this.#tell("cut-out", box, `${says}, and knocks out what lies beneath`, true);
  }

  #checkLine({ box, widthPt = 0 }: ForeignMark, shares: Shares): void {
    if (shares.size === 0) return;
    const isSolid = shares.size === 1 && totalOf(shares) > 1 - SLACK;
    const least = isSolid ? LEAST_LINE_PT.solid : LEAST_LINE_PT.other;
    if (widthPt < SLACK)
      this.#tell(
        "hairline",
        box,
        "has lines of 0 pt, which are as thin as the device can draw",
        true,
      );
    else if (widthPt < least - SLACK)
      this.#tell(
        `line ${least}`,
        box,
        `has lines of ${widthPt.toFixed(2)} pt, thinner than ${least} pt in ${isSolid ? "one solid ink" : "several inks or in dots"}`,
        false,
      );
  }

  #checkText({ box, sizePt = 0, graphics }: ForeignMark, shares: Shares): void {
    if (graphics.textMode === 3) return;
    const size = `${sizePt.toFixed(1)} pt`;
    if (shares.size === 0) {
      this.#checkWhiteText(box, sizePt);
      return;
    }
    if (sizePt < LEAST_PT - SLACK)
      this.#tell("text", box, `has text of ${size}, smaller than ${LEAST_PT} pt`, false);
    else if (shares.size > 1 && sizePt < LEAST_MULTI_PT - SLACK)
      this.#tell(
        "multi",
        box,
        `has text of ${size} in ${shares.size} inks, smaller than ${LEAST_MULTI_PT} pt`,
        false,
      );
  }

  #checkWhiteText(box: BoxPt, sizePt: number): void {
    const [x, y] = box;
    const ground = this.#areas.findLast((area) => contains(area.box, x, y));
    if (ground === undefined || ground.shares.size === 0) return;
    const plates = ground.shares.size;
    const least = plates > 1 ? LEAST_MULTI_PT : LEAST_PT;
    if (sizePt >= least - SLACK) return;
    const on = `${percent(totalOf(ground.shares))} of ink on ${plates} plates`;
    this.#tell(
      "white",
      box,
      `has white text of ${sizePt.toFixed(1)} pt on ${on}, smaller than ${least} pt`,
      false,
    );
  }

  #noteArea({ box }: ForeignMark, shares: Shares): void {
    const least = mmToPt(LEAST_AREA_MM);
    if (box[2] - box[0] < least || box[3] - box[1] < least) return;
    this.#areas.push({ box, shares });
    if (this.#areas.length > MAX_AREAS) this.#areas.shift();
  }

  #checkPicture({ object, box, graphics }: ForeignMark): void {
    if (object?.kind !== "image") return;
    const [a, b, c, d] = graphics.ctm;
    const [across, up] = [Math.hypot(a, b) / 72, Math.hypot(c, d) / 72];
    if (across === 0 || up === 0) return;
    const ppi = Math.min(object.width / across, object.height / up);
    const isBits =
      object.dict.get("ImageMask") === true || object.dict.get("BitsPerComponent") === 1;
    const { least, good } = isBits ? PPI.bits : PPI.shades;
    if (ppi >= good - 0.5) return;
    const what = isBits ? "a picture of one bit" : "a picture";
    const isRefused = ppi < least - 0.5;
    const kind = `ppi ${isBits} ${isRefused}`;
    this.#tell(
      kind,
      box,
      `has ${what} of ${Math.round(ppi)} ppi, less than ${isRefused ? least : good}`,
      isRefused,
    );
  }
}
