/** What people are told about the encoding of a file. */
import type { Problem } from "../../base/errors.ts";

import type { TextFacts } from "./encoding.ts";
import type { Likeness } from "./likeness.ts";

type Words = Pick<Problem, "message" | "hint">;

const SAVE = "save the file as CSV UTF-8";
const NOT_UTF8 = "file is not UTF-8 and was read as windows-1252";

const PLAIN: Words = {
  message: `${NOT_UTF8} (Western European)`,
  hint: "check the letters with accents: Polish, Czech and Hungarian files are likely windows-1250 (Cyrillic 1251, Greek 1253, Turkish 1254, Baltic 1257): set source.encoding, or save the file as CSV UTF-8",
};
const REPLACED: Words = {
  message: "file is said to be UTF-8, but has other bytes; their letters are replaced",
  hint: "check the letters with accents, or save the file as CSV UTF-8",
};
const IN_HALVES: Words = {
  message:
    "file has emoji or other rare characters in the form of CESU-8, as some databases write them; they were read as what they mean",
  hint: "right where they look right; otherwise export the file as UTF-8 (utf8mb4 in MySQL, AL32UTF8 in Oracle)",
};

const sayOld = ({ windows, mac, dos }: Extract<Likeness, { kind: "old" }>): Words => {
  const again =
    "save it as CSV UTF-8 in the program that it came from, or in a spreadsheet program that imports it with this code page";
  if (mac === undefined) {
    const looks = `looks like text of DOS (code page 850 or 437): "${windows}" is "${dos}" there`;
    return { message: `${NOT_UTF8}, but ${looks}`, hint: again };
  }
  if (dos !== undefined) {
    const looks = `looks like text of DOS (code page 850 or 437) or like Mac OS Roman: "${windows}" is "${dos}" or "${mac}" there`;
    return {
      message: `${NOT_UTF8}, but ${looks}`,
      hint: `where it is of the Mac, set source.encoding: macintosh; otherwise ${again}`,
    };
  }
  return {
    message: `${NOT_UTF8}, but looks like Mac OS Roman: "${windows}" is "${mac}" there`,
    hint: `set source.encoding: macintosh, or ${SAVE}`,
  };
};

function sayLines(lines: Extract<Likeness, { kind: "lines" }>): Words {
  const { utf8, halves, foreign, firstForeign } = lines;
  if (foreign === 0) return IN_HALVES;
  return {
    message: `file has lines in two encodings: ${utf8 + halves} in UTF-8, and ${foreign} in another one, which was read as windows-1252 (Western European); the first of these is line ${firstForeign}`,
    hint: "check the letters of these lines; where lists were joined, save each of them as CSV UTF-8 and join them again",
  };
}

function sayLikeness(likeness: Likeness): Words {
  switch (likeness.kind) {
    case "lines":
      return sayLines(likeness);
    case "double-byte":
      return {
        message: `${NOT_UTF8}, but looks like Japanese, Chinese or Korean text (Shift-JIS, GBK, EUC-KR, Big5): its letters come out wrong`,
        hint: SAVE,
      };
    case "old":
      return sayOld(likeness);
  }
}

/** A file with bytes that aren't UTF-8. */
export function warnOfEncoding(facts: TextFacts, file: string): Problem {
  const { encoding, likeness, firstForeignLine: line } = facts;
  const plain = encoding === "utf-8" ? REPLACED : PLAIN;
  return { ...(likeness === undefined ? plain : sayLikeness(likeness)), where: { file, line } };
}

/** A byte order mark overrides the manifest; a likeness doesn't. */
export function warnOfContradiction({ encoding, contradicted }: TextFacts, file: string): Problem {
  const isMarked = encoding !== contradicted;
  const message = isMarked
    ? `source.encoding is ${contradicted}, but the file begins with the mark of ${encoding} and is read as that`
    : `file is read as ${contradicted}, as source.encoding says, but looks like another encoding: its letters may come out wrong`;
  const hint = "leave source.encoding out: the encoding is found";
  return { message, hint, where: { file } };
}
