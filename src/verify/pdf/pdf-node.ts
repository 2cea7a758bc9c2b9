/** PDF objects as plain data, for the rules; independent of the parser. */
export type PdfNode =
  | null
  | boolean
  | number
  | PdfName
  | PdfBytes
  | PdfReference
  | PdfStream
  | PdfDict
  | readonly PdfNode[];

export interface PdfName {
  readonly name: string;
}

/** A string; text or raw bytes, as the reader takes it. */
export interface PdfBytes {
  readonly bytes: Uint8Array;
}

export interface PdfReference {
  readonly ref: number;
}

export type PdfDict = ReadonlyMap<string, PdfNode>;

export interface PdfStream {
  readonly dict: PdfDict;
  /** As it stands in the file, still filtered. */
  readonly raw: Uint8Array;
}

type Maybe = PdfNode | undefined;

export function isReference(node: Maybe): node is PdfReference {
  return typeof node === "object" && node !== null && "ref" in node;
}

export function isDict(node: Maybe): node is PdfDict {
  return node instanceof Map;
}

export function isStream(node: Maybe): node is PdfStream {
  return typeof node === "object" && node !== null && "raw" in node;
}

export function isArray(node: Maybe): node is readonly PdfNode[] {
  return Array.isArray(node);
}

export function isBytes(node: Maybe): node is PdfBytes {
  return typeof node === "object" && node !== null && "bytes" in node;
}

/** The name's text, or undefined for anything else. */
export function nameOf(node: Maybe): string | undefined {
  return typeof node === "object" && node !== null && "name" in node ? node.name : undefined;
}

/** A text string: UTF-16 with its mark, else Latin-1. Undefined for anything else. */
export function textOf(node: Maybe): string | undefined {
  if (!isBytes(node)) return undefined;
  const { bytes } = node;
  if (bytes[0] !== 0xfe || bytes[1] !== 0xff) return Buffer.from(bytes).toString("latin1");
  return Buffer.from(bytes.subarray(2)).swap16().toString("utf16le");
}

/** Numbers of an array, or undefined when it holds anything else. */
export function numbersOf(node: Maybe): number[] | undefined {
  if (!isArray(node)) return undefined;
  const numbers = node.filter((item): item is number => typeof item === "number");
  return numbers.length === node.length ? numbers : undefined;
}

/** Visits a node and all that hangs below it, references not followed. */
export function walk(node: PdfNode, visit: (node: PdfNode) => void): void {
  visit(node);
  if (isArray(node)) for (const item of node) walk(item, visit);
  else if (isDict(node)) for (const item of node.values()) walk(item, visit);
  else if (isStream(node)) walk(node.dict, visit);
}
