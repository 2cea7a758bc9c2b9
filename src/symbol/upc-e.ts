/**
 * UPC-E: eight digits for a GTIN-12 that has zeros in certain places (docs/spec/symbols.md section
 * 2).
 */

/** `042100005264` -> `04252614`; undefined without those zeros. */
export function toUpcE(gtin12: string): string | undefined {
  const match = /^0(\d{5})(\d{5})(\d)$/u.exec(gtin12);
  if (match === null) return undefined;
  const [, maker = "", item = "", check = ""] = match;
  const six = suppressZeros(maker, item);
  return six === undefined ? undefined : `0${six}${check}`;
}

function suppressZeros(maker: string, item: string): string | undefined {
  if (/^\d\d[012]00$/u.test(maker) && item.startsWith("00"))
    return `${maker.slice(0, 2)}${item.slice(2)}${maker[2] ?? ""}`;
  if (maker.endsWith("00") && item.startsWith("000"))
    return `${maker.slice(0, 3)}${item.slice(3)}3`;
  if (maker.endsWith("0") && item.startsWith("0000"))
    return `${maker.slice(0, 4)}${item.slice(4)}4`;
  return /^0000[5-9]$/u.test(item) ? `${maker}${item.slice(4)}` : undefined;
}

/** `04252614` -> `042100005264`; undefined unless it has eight digits and begins with 0. */
export function fromUpcE(upcE: string): string | undefined {
  const match = /^0(\d)(\d)(\d)(\d)(\d)(\d)(\d)$/u.exec(upcE);
  if (match === null) return undefined;
  const [, a = "", b = "", c = "", d = "", e = "", last = "", check = ""] = match;
  const body = expand([a, b, c, d, e], last);
  return `0${body}${check}`;
}

function expand([a, b, c, d, e]: readonly [string, string, string, string, string], last: string) {
  if (/[012]/u.test(last)) return `${a}${b}${last}0000${c}${d}${e}`;
  if (last === "3") return `${a}${b}${c}00000${d}${e}`;
  if (last === "4") return `${a}${b}${c}${d}00000${e}`;
  return `${a}${b}${c}${d}${e}0000${last}`;
}
