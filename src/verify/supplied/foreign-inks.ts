/** Colours of a designer's page -> the ink on each plate. */
import { sha256 } from "../../base/ids/ids.ts";
import type { PdfFile } from "../pdf/pdf-file.ts";
import {
  isArray,
  isBytes,
  isDict,
  isStream,
  nameOf,
  numbersOf,
  type PdfDict,
  type PdfNode,
} from "../pdf/pdf-node.ts";

/** Share of solid ink by plate; plates without ink are left out. */
export type Shares = ReadonlyMap<string, number>;

const PROCESS = ["Cyan", "Magenta", "Yellow", "Black"] as const;

function toShares(names: readonly string[], values: readonly number[]): Shares | undefined {
  if (names.length !== values.length) return undefined;
  const shares = new Map<string, number>();
  for (const [i, name] of names.entries()) {
    const share = Math.min(1, Math.max(0, values[i] ?? 0));
    if (share > 0 && name !== "None") shares.set(name, (shares.get(name) ?? 0) + share);
  }
  return shares;
}

const grey = ([light = 0]: readonly number[]): Shares | undefined =>
  toShares(["Black"], [1 - light]);

const named: Readonly<Record<string, (values: readonly number[]) => Shares | undefined>> = {
  DeviceCMYK: (values) => toShares(PROCESS, values),
  DeviceGray: grey,
};

type SpaceReader = (
  file: PdfFile,
  space: readonly PdfNode[],
  values: readonly number[],
) => Shares | undefined;

const nameIn = (file: PdfFile, node: PdfNode | undefined): string =>
  nameOf(file.resolve(node)) ?? "";

/** Colour spaces that are lists, by their first entry. */
const listed: Readonly<Record<string, SpaceReader>> = {
  Separation: (file, [, ink], values) => toShares([nameIn(file, ink)], values),
  DeviceN: (file, [, inks], values) =>
    toShares(
      file.array(inks).map((ink) => nameIn(file, ink)),
      values,
    ),
  ICCBased: (_file, _space, values) =>
    values.length === 4 ? toShares(PROCESS, values) : grey(values),
};

/** Undefined where it isn't known: patterns, palettes, colours of light. */
export function sharesIn(
  file: PdfFile,
  node: PdfNode | undefined,
  values: readonly number[],
): Shares | undefined {
  const space = file.resolve(node);
  const name = nameOf(space);
  if (name !== undefined) return Object.hasOwn(named, name) ? named[name]?.(values) : undefined;
  if (!isArray(space)) return undefined;
  const kind = nameIn(file, space[0]);
  return Object.hasOwn(listed, kind) ? listed[kind]?.(file, space, values) : undefined;
}

export const totalOf = (shares: Shares): number =>
  [...shares.values()].reduce((sum, share) => sum + share, 0);

/** Deep enough for any tint; ends circles. */
const MAX_DEPTH = 12;

/** The same text for equal objects anywhere in a file. */
function toText(file: PdfFile, node: PdfNode | undefined, depth = 0): string {
  const found = file.resolve(node) ?? null;
  if (depth > MAX_DEPTH) return "...";
  const inner = (one: PdfNode): string => toText(file, one, depth + 1);
  if (isArray(found)) return `[${found.map(inner).join(" ")}]`;
  if (isBytes(found)) return `(${Buffer.from(found.bytes).toString("hex")})`;
  const dict = isStream(found) ? found.dict : found;
  if (!isDict(dict)) return JSON.stringify(found);
  const own = [...dict].filter(([key]) => !["Length", "Filter", "DecodeParms"].includes(key));
  const entries = own.map(([key, value]) => `${key} ${inner(value)}`).toSorted();
  const data = isStream(found) ? sha256(file.data(found)) : "";
  return `<<${entries.join(" ")}>>${data}`;
}

/** A named ink as a page defines it. */
export interface SpotDefinition {
  readonly name: string;
  /** Equal for equal definitions. */
  readonly text: string;
  /** What its solid looks like, where that is known. */
  readonly cmyk: readonly number[] | undefined;
}

function solidOf(file: PdfFile, space: PdfNode | undefined, tint: PdfDict | undefined) {
  if (nameOf(file.resolve(space)) !== "DeviceCMYK") return undefined;
  return file.resolve(tint?.get("FunctionType")) === 2
    ? numbersOf(file.resolve(tint?.get("C1")))
    : undefined;
}

/** Undefined for anything but the colour space of one named ink. */
export function readSpot(file: PdfFile, node: PdfNode): SpotDefinition | undefined {
  if (!isArray(node) || nameOf(file.resolve(node[0])) !== "Separation") return undefined;
  const name = nameOf(file.resolve(node[1])) ?? "";
  const [alternate, tint] = [node[2], node[3]];
  const text = `${toText(file, alternate)} ${toText(file, tint)}`;
  return { name, text, cmyk: solidOf(file, alternate, file.dict(tint)) };
}
