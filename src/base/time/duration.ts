/** `120s`, `1.5m`. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/u;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** In milliseconds; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ""] = DURATION.exec(text) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNIT_MS[unit] ?? 1));
}
