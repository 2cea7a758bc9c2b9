import { numberFormat } from "../../base/text/number-format.ts";
import type { PrintedCount } from "../../base/shapes/press-warning.ts";
import type { Words } from "../words/words.ts";

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly isWrong?: boolean;
  /** To be looked at, though nothing is wrong. */
  readonly isOdd?: boolean;
}

export const Figures = ({ figures }: { readonly figures: readonly Figure[] }) =>
  figures.length === 0 ? null : (
    <dl class="figures">
      {figures.map(({ name, value, isWrong = false, isOdd = false }) => (
        <div class={isWrong ? "wrong" : isOdd ? "odd" : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );

/** A moment on this computer's clock: `28 Nov 2026, 08:59`. */
export const formatMadeAt = (ms: number, language: string): string =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "medium",
    timeStyle: "short",
  }).format(ms);

/** Numbers as the reader's language writes them. */
export const countIn = (language: string): ((n: number) => string) => {
  const format = numberFormat(language);
  return (n) => format.format(n);
};

/** Lengths with all their decimals: `74.25`, `74,25`. */
export const sizeIn = (language: string): ((mm: number) => string) => {
  const format = numberFormat(language, { maximumFractionDigits: 10, useGrouping: false });
  return (mm) => format.format(mm);
};

/** `3 min 20 s`, `2 h 5 min`. */
export function formatTime(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  const minutes = Math.floor(s / 60);
  return minutes < 60
    ? `${minutes} min ${s % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** In brackets behind a count of codes; nothing where each label has its own. */
export function Printed({
  printed,
  words,
}: {
  readonly printed: PrintedCount | undefined;
  readonly words: Words;
}) {
  const count = countIn(words.language);
  return printed === undefined ? null : (
    <> ({words.result.printed(count(printed.codes), count(printed.labels))})</>
  );
}
