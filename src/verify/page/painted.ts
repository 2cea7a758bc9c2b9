/** What a page paints, as the rules look at it. */
import type { PageFont } from "./page-fonts.ts";
import type { BoxPt, Matrix } from "./page-path.ts";
import type { PdfDict } from "../pdf/pdf-node.ts";

/** The colour of a mark. */
export interface Ink {
  /** `DeviceCMYK`, or the name of the colour space that was set. */
  readonly space: string;
  readonly values: readonly number[];
}

/** The part of an ExtGState that rules look at. */
export interface PaintState {
  readonly overprintFill: boolean;
  readonly overprintStroke: boolean;
  readonly alpha: number;
  readonly blendMode: string;
  readonly softMask: boolean;
}

/** The entries that a graphics state of a designer's page sets; the rest stays as it was. */
export interface StateChange extends Partial<PaintState> {
  readonly lineWidth?: number | undefined;
}

/** What marks are painted with. */
export interface GraphicsState {
  ctm: Matrix;
  fill: Ink;
  stroke: Ink;
  state: PaintState;
  lineWidth: number;
  /** Nothing shows beyond it. */
  clip?: BoxPt;
  /** How text is shown: 3 is not at all. */
  textMode?: number;
}

/** A picture or a form in a page's resources. */
export type PageObject =
  | {
      readonly kind: "image";
      readonly dict: PdfDict;
      /** Pixels. */
      readonly width: number;
      readonly height: number;
      /** `DeviceGray`, `DeviceCMYK`, or whatever else it is in. */
      readonly space: string;
      /** It has a mask of any kind. */
      readonly isMasked: boolean;
    }
  | {
      readonly kind: "form";
      readonly dict: PdfDict;
      /** Its own points. */
      readonly bbox: BoxPt;
      readonly matrix: Matrix;
      /** The marks of a form of ours, in its points; undefined for a designer's page. */
      readonly paints?: (() => PageContent) | undefined;
    };

/** One painting operator's result. */
export interface Painted {
  readonly kind: "fill" | "stroke" | "text" | "image" | "form";
  readonly box: BoxPt;
  readonly ink: Ink;
  readonly state: PaintState;
  /** Layer that it is on: the name of the page's property list. */
  readonly layer?: string | undefined;
  /** Fills: parts of the path that are rectangles; undefined when anything else is in it. */
  readonly rectangles?: number | undefined;
  /** Fills: the common width or height of its rectangles: the module of a code. */
  readonly unitPt?: number | undefined;
  /** Fills of rectangles: each of them, where `keepsBoxes` asks for that. */
  readonly boxes?: readonly BoxPt[] | undefined;
  /** Strokes: width. */
  readonly widthPt?: number | undefined;
  /** Text: size on the page, its font and glyphs. */
  readonly sizePt?: number | undefined;
  readonly font?: PageFont | undefined;
  readonly glyphs?: readonly number[] | undefined;
  /** Text: pieces that are shown without a new position in between have the same number. */
  readonly line?: number | undefined;
  /** The form of ours that it is a part of. */
  readonly part?: PdfDict | undefined;
  /** Images and forms: what is drawn. */
  readonly object?: PageObject | undefined;
}

export interface PageContent {
  readonly painted: readonly Painted[];
  /** Operators that set state or colour, once each. */
  readonly operators: ReadonlySet<string>;
  /** Content that this reader doesn't know and can't vouch for. */
  readonly faults: readonly string[];
}

/** The meaning of names in a page's operators. */
export interface PageResources {
  readonly states: ReadonlyMap<string, StateChange>;
  readonly fonts: ReadonlyMap<string, PageFont>;
  /** From the page to where things should lie; undefined = they are drawn there. */
  readonly base?: Matrix | undefined;
  /** Pictures and forms. */
  readonly objects?: ReadonlyMap<string, PageObject> | undefined;
  /** True for content that others made: every operator is read, its texts are not measured. */
  readonly isForeign?: boolean | undefined;
  /** True where single bars of a fill are needed. */
  readonly keepsBoxes?: boolean | undefined;
  /** Takes marks one by one in place of the list: a map has millions. */
  readonly onPaint?: ((mark: Painted, state: GraphicsState) => void) | undefined;
  /** The graphics state at the beginning: that of the page that draws this. */
  readonly initial?: GraphicsState | undefined;
}

export const PLAIN_STATE: PaintState = {
  overprintFill: false,
  overprintStroke: false,
  alpha: 1,
  blendMode: "Normal",
  softMask: false,
};
