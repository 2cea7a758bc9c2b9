import { quoteWord } from "../../base/shell-words.ts";

/** A word as a shell takes it: in quotes where it has to be. */
export const toShellWord = (text: string): string => quoteWord(text);
