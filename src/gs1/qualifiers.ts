/** What may stand behind an identifier in a path (gs1.md section 1). */
import { isCset82 } from "./cset82.ts";
import { identifierKinds, type IdentifierType } from "./identifiers.ts";

const IMPORTER = /^\d[A-Za-z0-9_-]{3}$/u;

const maxCharacters: Readonly<Record<string, number>> = {
  "10": 20,
  "21": 20,
  "22": 20,
  "254": 20,
  "235": 28,
};

/** Why `value` can't be this qualifier's, as "must …", or undefined. */
export function checkQualifier(ai: string, value: string): string | undefined {
  // A URL parser takes them away, also when they are escaped.
  if (value === "." || value === "..") return "must be something that a URL can hold";
  if (ai === "8019") return /^\d{1,10}$/u.test(value) ? undefined : "must be 1 to 10 digits";
  if (ai === "7040") {
    return IMPORTER.test(value) ? undefined : "must be a digit and three letters, digits, - or _";
  }
  const max = maxCharacters[ai];
  if (max === undefined) return "must be a qualifier that GS1 knows";
  if (value === "" || value.length > max) return `must have 1 to ${max} characters`;
  return isCset82(value) ? undefined : "must consist of GS1's 82 characters";
}

/** True when `ais`, in this order, may stand behind an identifier of the type. */
export function mayQualify(type: IdentifierType, ais: readonly string[]): boolean {
  return identifierKinds[type].qualifiers.some((allowed) => {
    let next = 0;
    for (const ai of ais) {
      const found = allowed.indexOf(ai, next);
      if (found < 0) return false;
      next = found + 1;
    }
    return true;
  });
}

/** True when a batch (10) and a serial number (21) may be given. */
export const takesBatch = (type: IdentifierType): boolean => mayQualify(type, ["10"]);
