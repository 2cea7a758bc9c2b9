/**
 * Texts of cells that hold more than their text, as Excel's data types do: the cell itself says `#VALUE!`,
 * for older programs ([MS-XLSX], 2.3.6). Pictures have no text.
 */
import { readXml, type Attributes } from "./xml.ts";

type Part = AsyncIterable<Buffer>;

export interface RichParts {
  readonly metadata: Part;
  readonly values: Part;
  readonly structures: Part;
}

const RICH = "XLRICHVALUE";

/** Of each `vm` of cells, from 1: the number of its value. */
async function readPlaces(metadata: Part): Promise<(number | undefined)[]> {
  const types: string[] = [];
  const future: (number | undefined)[] = [];
  const cells: (number | undefined)[] = [];
  let list: (number | undefined)[] | undefined;
  const opened: Readonly<Record<string, (attributes: Attributes) => void>> = {
    metadataType: ({ name = "" }) => types.push(name),
    futureMetadata: ({ name }) => {
      list = name === RICH ? future : undefined;
    },
    valueMetadata: () => {
      list = cells;
    },
    cellMetadata: () => {
      list = undefined;
    },
    bk: () => list?.push(undefined),
    rvb: ({ i }) => {
      if (list === future) future[future.length - 1] = Number(i);
    },
    rc: ({ t, v }) => {
      if (list === cells && types[Number(t) - 1] === RICH) cells[cells.length - 1] = Number(v);
    },
  };
  await readXml(metadata, {
    open: (name, attributes) => {
      if (Object.hasOwn(opened, name)) opened[name]?.(attributes);
    },
  });
  return cells.map((at) => (at === undefined ? undefined : future[at]));
}

/** Of each structure: the place of the text that its cells show. */
async function readTextPlaces(structures: Part): Promise<number[]> {
  const places: number[] = [];
  let at = 0;
  await readXml(structures, {
    open: (name, { n }) => {
      if (name === "s") {
        places.push(-1);
        at = 0;
      } else if (name === "k") {
        if (n === "_DisplayString") places[places.length - 1] = at;
        at += 1;
      }
    },
  });
  return places;
}

async function readTexts(values: Part, places: readonly number[]): Promise<string[]> {
  const texts: string[] = [];
  let place = -1;
  let at = -1;
  let isIn = false;
  await readXml(values, {
    open: (name, { s }) => {
      isIn = name === "v";
      if (isIn) at += 1;
      else if (name === "rv") {
        texts.push("");
        place = places[Number(s)] ?? -1;
        at = -1;
      }
    },
    text: (text) => {
      if (isIn && at === place) texts[texts.length - 1] += text;
    },
    close: () => {
      isIn = false;
    },
  });
  return texts;
}

/** By the `vm` of a cell: the text that it shows. */
export async function readRichTexts(parts: RichParts): Promise<ReadonlyMap<string, string>> {
  const texts = await readTexts(parts.values, await readTextPlaces(parts.structures));
  const places = await readPlaces(parts.metadata);
  const found = new Map<string, string>();
  for (const [at, place] of places.entries()) {
    const text = place === undefined ? "" : (texts[place] ?? "");
    if (text !== "") found.set(String(at + 1), text);
  }
  return found;
}
