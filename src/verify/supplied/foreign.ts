/** Pages of others in our sheets: faults that a press would stumble over. */
import { ownFaults } from "../rules/file-rules.ts";
import { readSpot, type SpotDefinition } from "./foreign-inks.ts";
import { type ForeignMark, ForeignWalk } from "./foreign-walk.ts";
import type { PdfFile } from "../pdf/pdf-file.ts";
import { isArray, isDict, isStream, nameOf, type PdfDict, type PdfNode } from "../pdf/pdf-node.ts";
import { reach, type Reached } from "../pdf/reach.ts";

/** Facts about a foreign page. */
export interface ForeignFacts {
  /** Faults in any PDF/X, as sentences. */
  readonly faults: readonly string[];
  /** Faults in PDF/X-1a only. */
  readonly x1aFaults: readonly string[];
  /** Named inks. */
  readonly spots: readonly string[];
  /** Process inks besides black. */
  readonly plates: readonly string[];
  /** Each definition of a named ink; good pages have one of each. */
  readonly definitions: readonly SpotDefinition[];
}

const colored = new Set(["DeviceRGB", "CalRGB", "Lab", "CalGray"]);

function colorFaults(file: PdfFile, node: PdfNode): string[] {
  const name = nameOf(node);
  if (name !== undefined) return colored.has(name) ? [`uses the colour space ${name}`] : [];
  if (!isArray(node) || nameOf(file.resolve(node[0])) !== "ICCBased") return [];
  const channels = file.resolve(file.dict(node[1])?.get("N"));
  return channels === 1 || channels === 4 ? [] : ["uses an ICC profile that is not grey or CMYK"];
}

function spotsIn(file: PdfFile, node: PdfNode): string[] {
  if (!isArray(node)) return [];
  const kind = nameOf(file.resolve(node[0]));
  if (kind === "Separation") return [nameOf(file.resolve(node[1])) ?? ""];
  if (kind === "DeviceN") return file.array(node[1]).map((item) => nameOf(item) ?? "");
  return [];
}

const process = new Set(["Cyan", "Magenta", "Yellow", "Black", "None"]);

function isTransparent(file: PdfFile, dict: PdfDict): boolean {
  const value = (key: string): PdfNode | undefined => file.resolve(dict.get(key));
  const below = [value("ca"), value("CA")].some((alpha) => typeof alpha === "number" && alpha < 1);
  const mode = nameOf(value("BM")) ?? "Normal";
  const mask = value("SMask");
  const masks = mask !== undefined && nameOf(mask) !== "None";
  return below || masks || (dict.has("BM") && mode !== "Normal" && mode !== "Compatible");
}

const fontFiles = ["FontFile", "FontFile2", "FontFile3"];

/** Name of a font that is not embedded. */
function bareFont(file: PdfFile, dict: PdfDict): string | undefined {
  const type = nameOf(file.resolve(dict.get("Type")));
  const subtype = nameOf(file.resolve(dict.get("Subtype")));
  if (type !== "Font" || subtype === "Type0" || subtype === "Type3") return undefined;
  const descriptor = file.dict(dict.get("FontDescriptor"));
  return fontFiles.some((key) => descriptor?.has(key) === true)
    ? undefined
    : (nameOf(file.resolve(dict.get("BaseFont"))) ?? "without a name");
}

function dictFaults(file: PdfFile, dict: PdfDict): { faults: string[]; x1a: string[] } {
  const faults: string[] = [];
  const x1a: string[] = [];
  const font = bareFont(file, dict);
  if (font !== undefined) faults.push(`font ${font} must be embedded`);
  if (nameOf(file.resolve(dict.get("Type"))) === "OCG") faults.push("layers must be flattened");
  if (isTransparent(file, dict)) x1a.push("must have no transparency in PDF/X-1a");
  const filters = [dict.get("Filter") ?? null].flatMap((node) =>
    isArray(file.resolve(node)) ? file.array(node) : [node],
  );
  if (filters.some((node) => nameOf(file.resolve(node)) === "JPXDecode"))
    x1a.push("must have no JPEG 2000 picture in PDF/X-1a");
  return { faults, x1a };
}

class Facts {
  readonly faults = new Set<string>();
  readonly x1aFaults = new Set<string>();
  readonly spots = new Set<string>();
  readonly plates = new Set<string>();
  readonly definitions = new Map<string, SpotDefinition>();
  readonly #file: PdfFile;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  content({ resources, content, onMark }: ForeignContent): void {
    const walk = new ForeignWalk(this.#file, (mark) => {
      this.#mark(mark);
      onMark?.(mark);
    });
    walk.page(resources, content);
    for (const fault of walk.faults) this.faults.add(fault);
    if (walk.isUnclear) for (const name of colorPlates) this.plates.add(name);
  }

  #mark({ kind, ink, shares, object }: ForeignMark): void {
    if (colored.has(ink.space)) this.faults.add(`uses the colour space ${ink.space}`);
    const isGrey = object?.kind === "image" && object.space === "DeviceGray";
    const isOther = kind === "image" && !isGrey && !isStencil(object);
    for (const name of colorPlates)
      if (isOther || shares?.has(name) === true) this.plates.add(name);
  }

  node({ node, isFree }: Reached): void {
    const file = this.#file;
    for (const fault of colorFaults(file, node)) this.faults.add(fault);
    for (const spot of spotsIn(file, node)) if (!process.has(spot)) this.spots.add(spot);
    const spot = readSpot(file, node);
    if (spot !== undefined) this.definitions.set(`${spot.name} ${spot.text}`, spot);
    if (isArray(node) && nameOf(file.resolve(node[0])) === "ICCBased")
      this.x1aFaults.add("must have no ICC profiles in PDF/X-1a");
    const dict = isStream(node) ? node.dict : node;
    if (isDict(dict)) this.#dict(dict, isFree);
  }

  #dict(dict: PdfDict, isFree: boolean): void {
    const { faults, x1a } = dictFaults(this.#file, dict);
    for (const fault of faults) this.faults.add(fault);
    for (const fault of x1a) this.x1aFaults.add(fault);
    if (isFree) return;
    for (const [key, value] of dict)
      for (const fault of ownFaults(key, value, "it")) this.faults.add(fault.slice("it ".length));
  }
}

const colorPlates = ["Cyan", "Magenta", "Yellow"];

/** A picture that is painted in the ink at hand. */
const isStencil = (object: ForeignMark["object"]): boolean =>
  object?.kind === "image" && object.dict.get("ImageMask") === true;

interface ForeignContent {
  readonly resources: PdfNode;
  readonly content: Uint8Array;
  /** Takes every mark of the page and of the parts that it draws. */
  readonly onMark?: ((mark: ForeignMark) => void) | undefined;
}

/** Looks at a page's operators and all that its resources hold. */
export function inspectForeign(file: PdfFile, page: ForeignContent): ForeignFacts {
  const facts = new Facts(file);
  facts.content(page);
  for (const reached of reach(file, page.resources)) facts.node(reached);
  const { faults, x1aFaults, spots } = facts;
  if (spots.has("All")) faults.add("must not use the ink All: it is on every plate");
  return {
    faults: [...faults],
    x1aFaults: [...x1aFaults],
    spots: [...spots].toSorted(),
    plates: [...facts.plates].toSorted(),
    definitions: [...facts.definitions.values()],
  };
}
