/** What became of a create (docs/spec/engine.md section 1.4). */
export type OutcomeClass = "done" | "refused" | "not-sent" | "limited" | "auth" | "doubt";

/** Everything that the outcome depends on. */
export type Exchanged =
  | { readonly kind: "failure"; readonly written: boolean }
  /** `hasId`: the body is complete and readable, and contains an id. */
  | { readonly kind: "answer"; readonly status: number; readonly hasId: boolean };

/** status -> outcome. With any other status, the create may have been committed. */
const classByStatus: ReadonlyMap<number, OutcomeClass> = new Map([
  [400, "refused"],
  [404, "refused"],
  [415, "refused"],
  // RFC 9110 sections 15.5.3, 15.5.6, 15.5.11, 15.5.14 and 15.5.15: each of these means that nothing
  // was done.
  [405, "refused"],
  [410, "refused"],
  [413, "refused"],
  [414, "refused"],
  [401, "auth"],
  [402, "auth"],
  [403, "auth"],
  [429, "limited"],
]);

const DONE_STATUSES: ReadonlySet<number> = new Set([200, 201]);

/** Whatever isn't certain is in doubt. */
export function classify(exchanged: Exchanged): OutcomeClass {
  if (exchanged.kind === "failure") return exchanged.written ? "doubt" : "not-sent";
  if (DONE_STATUSES.has(exchanged.status)) return exchanged.hasId ? "done" : "doubt";
  return classByStatus.get(exchanged.status) ?? "doubt";
}
