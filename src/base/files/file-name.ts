/**
 * File names from cells, manifests and API answers: safe on every file system, never outside of the
 * output folder (docs/spec/jobs.md section 3).
 */

const MAX_BYTES = 180;
// Control characters, what Windows forbids, bidi controls, zero-width characters.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;
const IDLE_END = /(?<![\s.])[\s.]+$/u;
const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/iu;

function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let out = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    out += character;
  }
  return out;
}

/** One path segment: NFC, safe characters, at most 180 bytes with `extension`. Never empty. */
export function toFileName(text: string, extension = ""): string {
  const clean = text
    .toWellFormed()
    .normalize("NFC")
    .replace(UNSAFE, "_")
    .replace(IDLE_END, "")
    .trimStart();
  const named = clean === "" || /^\.+$/u.test(clean) ? "_" : clean;
  const safe = WINDOWS_DEVICE.test(named) ? `_${named}` : named;
  return (
    cutToBytes(safe, MAX_BYTES - Buffer.byteLength(extension)).replace(IDLE_END, "") + extension
  );
}

/**
 * A relative path of several segments, each made safe; empty, `.` and `..` segments and drive
 * letters are dropped or become plain names. Joined by `/`.
 */
export function toFilePath(text: string, extension = ""): string {
  const segments = text.split(/[/\\]+/u).filter((part) => !/^\s*\.*$/u.test(part.trimEnd()));
  const last = segments.pop() ?? "";
  return [...segments.map((part) => toFileName(part)), toFileName(last, extension)].join("/");
}

/**
 * Names with the same key are the same on a case-insensitive file system: also `straße` and
 * `STRASSE`, and ligatures and their letters, which macOS treats as the same.
 */
export function toNameKey(name: string): string {
  return name.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

const toExtensionAt = (name: string): number => {
  const dot = name.lastIndexOf(".");
  return dot > name.lastIndexOf("/") + 1 ? dot : name.length;
};

/** `name`; if `taken` has it already, `name-2`, `name-3` … before its extension. */
export function toFreeName(name: string, taken: (key: string) => boolean): string {
  return taken(toNameKey(name)) ? toNumberedName(name, 2, taken, toExtensionAt(name)).name : name;
}

/** True for `of-2`, `of-3` … with the number at its end, or before what looks like an extension, as older ones have it. */
export function isNumberedName(name: string, of: string): boolean {
  return [of.length, toExtensionAt(of)].some((cut) => {
    const [start, end] = [`${of.slice(0, cut)}-`, of.slice(cut)];
    const number = name.slice(start.length, name.length - end.length);
    return name === start + number + end && /^[1-9]\d{0,9}$/u.test(number);
  });
}

/** True for a name that is a numbered one of some other name. */
export const isNumbered = (name: string): boolean =>
  [name, name.slice(0, toExtensionAt(name))].some((some) => /-[1-9]\d{0,9}$/u.test(some));

/** The first of `name-<from>`, `name-<from + 1>` … that is free; the number stands at `cut`. */
export function toNumberedName(
  name: string,
  from: number,
  taken: (key: string) => boolean,
  cut = name.length,
): { readonly name: string; readonly number: number } {
  for (let number = from; ; number += 1) {
    const candidate = `${name.slice(0, cut)}-${number}${name.slice(cut)}`;
    if (!taken(toNameKey(candidate))) return { name: candidate, number };
  }
}
