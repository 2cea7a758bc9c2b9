import { formatCount } from "../base/words.ts";

const FILES_SHOWN = 3;

export const andMore = (more: number): string => (more > 0 ? ` and ${formatCount(more)} more` : "");

/** The first files, and how many there are besides. */
export const sayFiles = (files: readonly string[]): string =>
  `${files.slice(0, FILES_SHOWN).join(", ")}${andMore(files.length - FILES_SHOWN)}`;
