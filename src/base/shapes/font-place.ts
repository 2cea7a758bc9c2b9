/** Where a font is: a file, or one of the fonts of a collection. */
export interface FontPlace {
  readonly file: string;
  /** In a collection, from 0, as OpenType counts. */
  readonly index: number | undefined;
}

const IN_COLLECTION = /^(.+\.(?:ttc|otc))#(\d{1,4})$/iu;

/** `cjk.ttc#2` -> the third font of that file; any other text is a file. */
export function toFontPlace(named: string): FontPlace {
  const [, file, index] = IN_COLLECTION.exec(named) ?? [];
  return file === undefined ? { file: named, index: undefined } : { file, index: Number(index) };
}
