/** Errors of the library name its options, where those of a terminal name flags. */
import { AppError, type Problem } from "../../base/errors.ts";

/** Flag -> option. */
const OPTIONS: Readonly<Record<string, string>> = {
  "base-url": "baseUrl",
  "public-url": "publicUrl",
  data: "dataDir",
  out: "out",
  key: "keys",
  lines: "lines",
  sheets: "sheets",
  from: "from",
  start: "start",
  spoiled: "isSpoiled",
  limit: "limit",
  fresh: "fresh",
  yes: "isConfirmed",
};

/** Flags of a sentence: those of a command stand behind its words. */
const FLAG =
  /(?<=^|[(,:;] ?|\b(?:and|another|by|leave|name|or|with) )--([a-z-]+)(?: --yes(?![\w-]))?/gu;

const inOptions = (text: string): string =>
  text.replaceAll(FLAG, (flags, name: string) => {
    const also = flags.includes(" ") ? " and isConfirmed" : "";
    return `${OPTIONS[name] ?? `--${name}`}${also}`;
  });

const toProblem = ({ message, hint, where }: Problem): Problem => ({
  message: inOptions(message),
  hint: hint === undefined ? undefined : inOptions(hint),
  where,
});

const namesFlag = ({ message, hint = "" }: Problem): boolean => `${message} ${hint}`.includes("--");

/** The same error in words of the library. */
export function toLibraryError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, where, problems, status, cause } = error;
  if (![error, ...problems].some(namesFlag)) return error;
  const { message, hint } = toProblem(error);
  const said = problems.map(toProblem);
  return new AppError(code, message, { hint, where, problems: said, status, cause });
}
