/**
 * A form knows what its page showed: saving changes only what was changed there, and refuses what
 * somebody else has changed since.
 */
import { OwnRefusal } from "./refusal.ts";
import { field, keepsTyped, sameText, toWas, type Part, type Visit } from "./visit.ts";

/** The status of a refusal that shows the fields as they are now. */
const CHANGED_MEANWHILE = 409;

/** Keeps what the page shows in a field, beside it. */
export const Was: Part<{
  readonly name: string;
  readonly stored: string | null | undefined;
}> = ({ visit, name, stored }) => {
  const isStillOld = keepsTyped(visit, name) && visit.refusedWith !== CHANGED_MEANWHILE;
  const was = isStillOld ? visit.form.get(toWas(name)) : undefined;
  return (
    <input
      type="hidden"
      name={toWas(name)}
      value={typeof was === "string" ? was : (stored ?? "")}
    />
  );
};

/** A ticked box as a field's text. */
export const tickText = (isTicked: boolean): string => (isTicked ? "yes" : "");

export interface ShownField {
  readonly name: string;
  /** As the page calls it. */
  readonly label: string;
  /** What it holds now, as the page would show it. */
  readonly stored: string;
  /** What was sent. Default: the field of the form; a form without it changes nothing. */
  readonly sent?: string;
  /** What the page showed. Default: what the form kept of it. */
  readonly was?: string | undefined;
  /** What it holds now, for people; default: as stored. */
  readonly now?: string;
  /** That it was changed meanwhile. Default: with label and value. */
  readonly said?: string;
}

/** What the page showed in a field, if the form tells it. */
export const keptOf = ({ form }: Pick<Visit, "form">, name: string): string | undefined =>
  form.has(toWas(name)) ? field({ form }, toWas(name)) : undefined;

/** Whether a field was changed on the page, and whether by others meanwhile. */
function compare(visit: Visit, one: ShownField): "same" | "changed" | "meanwhile" {
  const { name, stored } = one;
  if (one.sent === undefined && !visit.form.has(name)) return "same";
  const wanted = one.sent ?? field(visit, name);
  const was = one.was ?? keptOf(visit, name) ?? stored;
  if (sameText(wanted, was) || sameText(wanted, stored)) return "same";
  return sameText(stored, was) ? "changed" : "meanwhile";
}

/** The names of the fields that were changed on the page; a refusal when others changed them, too. */
export function changedFields(visit: Visit, fields: readonly ShownField[]): ReadonlySet<string> {
  const { changedMeanwhile } = visit.words.common;
  const lost = fields.filter((one) => compare(visit, one) === "meanwhile");
  if (lost.length > 0) {
    const lines = lost.map(({ label, stored, now = stored, said }) => ({
      said: said ?? changedMeanwhile(label, now),
    }));
    throw new OwnRefusal(CHANGED_MEANWHILE, lines);
  }
  const changed = fields.filter((one) => compare(visit, one) === "changed");
  return new Set(changed.map(({ name }) => name));
}
