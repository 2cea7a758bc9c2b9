/** Everything that a designer's page paints, with its inks; includes the parts that it draws. */
import { type Shares, sharesIn } from "./foreign-inks.ts";
import { readPageContent } from "../page/page-content.ts";
import type { GraphicsState } from "../page/page-reader.ts";
import { readObjects, readStateChange } from "../page/page-resources.ts";
import type { Painted, StateChange } from "../page/painted.ts";
import type { PdfFile } from "../pdf/pdf-file.ts";
import { multiply } from "../page/page-path.ts";
import type { PdfDict, PdfNode } from "../pdf/pdf-node.ts";

/** One mark with its inks; undefined where their plates aren't known. */
export interface ForeignMark extends Painted {
  readonly shares: Shares | undefined;
  readonly graphics: GraphicsState;
}

/** Parts that a page draws; each is read once for every size and look that it is drawn in. */
const MAX_PARTS = 2000;
const MAX_DEPTH = 20;
/** Limit for all parts together; each part alone has that of a page. */
const MAX_PART_BYTES = 128 * 1024 * 1024;

interface Part {
  readonly resources: PdfNode | undefined;
  readonly content: Uint8Array;
  readonly graphics: GraphicsState | undefined;
  /** The parts that it lies in, from the outermost. */
  readonly above: readonly PdfDict[];
}

const round = (value: number): number => Math.round(value * 100) / 100;

export class ForeignWalk {
  readonly faults = new Set<string>();
  /** A mark is painted whose plates aren't known. */
  isUnclear = false;
  readonly #file: PdfFile;
  readonly #onMark: (mark: ForeignMark) => void;
  readonly #known = { fonts: new Map(), objects: new Map() };
  readonly #seen = new Map<PdfDict, Set<string>>();
  #parts = 0;
  #bytes = 0;

  constructor(file: PdfFile, onMark: (mark: ForeignMark) => void) {
    this.#file = file;
    this.#onMark = onMark;
  }

  page(resources: PdfNode | undefined, content: Uint8Array): void {
    this.#read({ resources, content, graphics: undefined, above: [] });
  }

  #read({ resources, content, graphics, above }: Part): void {
    const file = this.#file;
    const dict = file.dict(resources);
    const spaces = file.dict(dict?.get("ColorSpace")) ?? new Map<string, PdfNode>();
    const states = new Map<string, StateChange>();
    for (const [name, node] of file.dict(dict?.get("ExtGState")) ?? [])
      states.set(name, readStateChange(file, node));
    const onPaint = (mark: Painted, state: GraphicsState): void => {
      const { space, values } = mark.ink;
      const shares = sharesIn(file, spaces.get(space) ?? { name: space }, values);
      if (shares === undefined && mark.kind !== "form" && mark.kind !== "image")
        this.isUnclear = true;
      this.#onMark({ ...mark, shares, graphics: state });
      if (mark.kind === "form") this.#draw(mark, state, { resources, above });
    };
    const objects = readObjects(file, dict?.get("XObject"), this.#known);
    const read = readPageContent(content, {
      states,
      fonts: new Map(),
      objects,
      isForeign: true,
      onPaint,
      initial: graphics,
    });
    for (const fault of read.faults) this.faults.add(fault);
    if (read.operators.has("sh")) this.isUnclear = true;
  }

  /** The same part in the same size and look paints the same. */
  #isNew(dict: PdfDict, { ctm, fill, stroke, state }: GraphicsState): boolean {
    const look = JSON.stringify([ctm.slice(0, 4).map(round), fill, stroke, state]);
    const looks = this.#seen.get(dict) ?? new Set();
    if (looks.has(look)) return false;
    this.#seen.set(dict, looks.add(look));
    return true;
  }

  #draw(
    { object }: Painted,
    state: GraphicsState,
    { resources: outer, above }: Pick<Part, "resources" | "above">,
  ): void {
    if (object?.kind === "form" && above.includes(object.dict)) {
      this.faults.add("has a part that draws itself");
      return;
    }
    if (object?.kind !== "form" || !this.#isNew(object.dict, state)) return;
    this.#parts += 1;
    if (this.#parts > MAX_PARTS || above.length >= MAX_DEPTH || this.#bytes > MAX_PART_BYTES) {
      this.faults.add("draws more parts inside of parts than can be looked at");
      return;
    }
    const content = this.#file.streamOf(object.dict);
    this.#bytes += content.length;
    const graphics = { ...state, ctm: multiply(object.matrix, state.ctm) };
    const resources = object.dict.get("Resources") ?? outer;
    this.#read({ resources, content, graphics, above: [...above, object.dict] });
  }
}
