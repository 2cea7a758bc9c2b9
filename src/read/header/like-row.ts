/** Whether the line that holds the names of columns looks like a row. */
import { cellTypes } from "../cells/cell-types.ts";
import type { HeaderCell } from "./header.ts";
import { textOf, type RawRow } from "../raw.ts";

const fits = (type: "url" | "email" | "gtin", text: string): boolean =>
  typeof cellTypes[type](text) === "string";

const WITHOUT_HTTP = /^(?:www\.[^\s/?#]+\.\p{Ll}{2,}(?:[/?#]\S*)?|[\p{L}\d.-]+\.\p{Ll}{2,}\/\S+)$/u;

/** Texts that cells hold, and that seldom name a column. */
const forms = {
  address: (text) => /^https?:/iu.test(text) && fits("url", text),
  email: (text) => text.includes("@") && !/^https?:/iu.test(text) && fits("email", text),
  gtin: (text) => /^\d{12,14}$/u.test(text) && fits("gtin", text),
  /** It begins with www, or is a name and a path only; `tel.home/work` may name a column. */
  bare: (text) => WITHOUT_HTTP.test(text) && fits("url", `https://${text}`),
  /** 20240106 may name a column. */
  shortGtin: (text) => /^\d{8}$/u.test(text) && fits("gtin", text),
} as const satisfies Record<string, (text: string) => boolean>;

const toWords = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Endings of addresses that end no names of files and seldom abbreviations. */
const ENDINGS = toWords("at be ch com de dk es eu fr info io net nl org shop uk");
/** Those that say so before a path; of two letters also behind a name of two parts: `menu.pl` is a file. */
const MORE_ENDINGS = toWords(
  "it pl ac app asia au berlin biz blog br ca cafe cat cc cloud club cn co cz dev digital ee fi fm gg gl gle gmbh google gr hamburg help hr hu id ie im int is jp koeln kr link live lt lu lv ly me media menu mobi mx nrw nu one online page pro pt qr re rest restaurant ro rs ru ruhr se si site sk space store team tech tirol to tokyo top tours tr travel tv ua us vc vip wales website wien wiki world wtf xyz za",
);
/** Others that count before a path where addresses are meant, in capitals, too. */
const RARE_ENDINGS = toWords(
  "agency amsterdam apartments art auto bank bar bayern best bike bio business cafe care casa center church city click clinic coach codes coffee cologne community company dental design direct earth eco edu education email energy events expert family farm fashion film finance fit fitness fun fyi gallery games garden gift gov guide guru haus health hotel immo immobilien ink jetzt jobs kaufen kitchen kim land law legal life lol love ltd market marketing md museum name network news ngo now nyc page paris party pet photo photography photos pizza press pub pw quest recipes red reise reisen ren rent repair report review reviews rocks run saarland sale salon school schule science services sh shopping show social software solar solutions style studio support swiss systems tax taxi theater tickets tips today tools toys training university versicherung video villas vote watch wedding win wine work works yoga",
);
/** Behind these no path counts, even where addresses are meant. */
const FILE_ENDINGS = toWords(
  "bmp csv doc docx eps gif heic htm html jpeg jpg mp3 mp4 odp ods odt pdf php png ppt pptx psd rtf svg tif tiff txt webp xls xlsx xml zip",
);
/** A name with dots, and what follows it. */
const NAMED =
  /^([\p{L}\p{M}\d_-]+(?:\.[\p{L}\p{M}\d_-]+)*)\.(xn--[a-z\d-]+|\p{L}[\p{L}\p{M}]+)((?:[/:?#]\S*)?)$/u;
const WORD = /^(?:[\d-]*\p{L}[\p{L}\p{M}\d-]*|\d{3,})$/u;

const areWords = (name: string): boolean => name.split(".").every((word) => WORD.test(word));

/** `nordwerk.de`, `4711.de/a`; neither `ASP.NET` nor `12.be`. */
function beginsWithDomain(text: string): boolean {
  const [, name = "", last = "", rest = ""] = NAMED.exec(text) ?? [];
  if (!areWords(name)) return false;
  if (rest === "" && text === text.toUpperCase()) return false;
  const ending = last.toLowerCase();
  const hasMore = rest !== "" || (name.includes(".") && ending.length === 2);
  return ENDINGS.has(ending) || (hasMore && MORE_ENDINGS.has(ending));
}

/**
 * The same where an address is meant: `24.de`, `NORDWERK.DE`, and before a path any ending without
 * capitals, as in `luna.bistro/m`; neither `1.OG/101` nor `menu.pdf/3`.
 */
function mayBeginWithDomain(text: string): boolean {
  const [, name = "", last = "", rest = ""] = NAMED.exec(text) ?? [];
  if (last === "") return false;
  const ending = last.toLowerCase();
  if (ENDINGS.has(ending) || MORE_ENDINGS.has(ending)) return true;
  const mayEnd = RARE_ENDINGS.has(ending) || (last === ending && !FILE_ENDINGS.has(ending));
  const isOfHost = mayEnd && /^(?::\d+)?\//u.test(rest);
  return isOfHost && areWords(name.replaceAll("_", "-"));
}

const WWW = /^www\.[^\s/?#]+\.\p{L}{2,}(?:[/?#]\S*)?$/iu;

/**
 * An address without http: `shop.de/a`, `www.shop.de`, `shop.de`.
 * @param isMeant the header or the other cells say that the column holds addresses: those with a rare ending count, too
 */
export const isBareAddress = (text: string, isMeant = false): boolean => {
  const bare = text.trim();
  const isLike = WWW.test(bare) || (isMeant ? mayBeginWithDomain : beginsWithDomain)(bare);
  return isLike && fits("url", `https://${bare}`);
};

/** What a cell holds that seldom names a column. */
export type Form = keyof typeof forms;

const all = Object.keys(forms) as Form[];

/** The form of a cell; undefined where it may name a column. */
export const formOf = (text: string): Form | undefined =>
  all.find((form) => forms[form](text.trim()));

/** They are data only together with the rows below. */
const isDoubtful = (form: Form): boolean => form === "bare" || form === "shortGtin";

/** Whether more than half of the cells that are filled are like this. */
export function areMost(cells: readonly string[], is: (text: string) => boolean): boolean {
  const filled = cells.map((text) => text.trim()).filter((text) => text !== "");
  return filled.length > 0 && filled.filter(is).length * 2 > filled.length;
}

/**
 * The header that looks like a cell of a row; undefined where all may be names of columns.
 * @param isHeader the line is known to be one: then only what surely is data counts
 */
export function findLikeRow(
  cells: readonly HeaderCell[],
  below: readonly RawRow[],
  isHeader: boolean,
): string | undefined {
  const isLike = ({ text }: HeaderCell, at: number): boolean => {
    const form = formOf(text);
    if (form === undefined || !isDoubtful(form)) return form !== undefined;
    const under = below.map((row) => textOf(row.cells[at]));
    return !isHeader && areMost(under, forms[form]);
  };
  return cells.find(isLike)?.header;
}
