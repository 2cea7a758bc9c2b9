/**
 * Fields of a manifest as people write them: `output.dir`, `source.columns["Item No."].type`. Names
 * that are no plain words stand in brackets and quotes.
 */
const NAME = /^[A-Za-z_][\w-]*$/u;
const STEP = /(^|\.)([A-Za-z_][\w-]*)|\[("(?:[^"\\]|\\.)+"|'[^']+')\]/uy;

/** Said where a field is written otherwise. */
export const FIELD_HINT = `a name that is no plain word goes into quotes: 'source.columns["Item No."]={ required: true }'`;

function readQuoted(quoted: string): string | undefined {
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return undefined;
  }
}

/** The names at the start of a text, and what stands behind them; undefined for another form. */
export function readFieldPath(
  text: string,
): { readonly path: readonly string[]; readonly rest: string } | undefined {
  const path: string[] = [];
  let at = 0;
  for (;;) {
    STEP.lastIndex = at;
    const found = STEP.exec(text);
    if (found === null) break;
    const [all, , plain, quoted = ""] = found;
    const name = plain ?? readQuoted(quoted);
    if (name === undefined || (plain === undefined && at === 0)) return undefined;
    path.push(name);
    at += all.length;
  }
  return path.length === 0 ? undefined : { path, rest: text.slice(at) };
}

/** `readFieldPath` reads it. */
export const toFieldPath = (path: readonly string[]): string =>
  path
    .map((name, at) => {
      if (at === 0) return name;
      return NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    })
    .join("");
