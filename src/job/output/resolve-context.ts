import type { ColumnUse } from "../job.ts";
import type { SheetLabels } from "./sheet-labels.ts";

/** Facts that a manifest doesn't have. */
export interface ResolveContext {
  /** The manifest, absolute. */
  readonly file: string;
  /** Wins over the manifest's folder; absolute. */
  readonly outDir: string | undefined;
  readonly baseUrl: string | undefined;
  /** Of the embedded service. */
  readonly publicUrl: string | undefined;
  readonly workspace: string | undefined;
  /** Wall clock, epoch milliseconds; feeds `{{ date }}` of folders. */
  readonly nowMs: number;
  /** Of the schedule; undefined for UTC. */
  readonly timeZone: string | undefined;
  readonly columnUses: readonly ColumnUse[];
  /** Faces of the labels on sheets, their templates read. */
  readonly labels: SheetLabels;
}

/** The fields that are set. */
export const present = <T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** `{{ column | filter }}`. */
export const placeholder = (column: string, filter = ""): string => `{{ ${column}${filter} }}`;
