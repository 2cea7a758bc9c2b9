/** `units.csv`: what became of each code of a job, one a line (docs/ledger.md). */
import { makeCsv, type CsvCell } from "./csv.ts";
import { writeTextFile, type WrittenFile } from "./hashed-file.ts";

/** Times are ISO, lists are joined by ` | `; empty for what did not happen. */
export interface UnitLine {
  readonly key: string;
  readonly line: number;
  /**
   * How far it came: minted, printed, proven, activated; what became of it: damaged, spoiled, void;
   * or why no row has it today: vanished, filed, deleted, bad. Unmade: the row has no code yet.
   */
  readonly state:
    | "unmade"
    | "minted"
    | "printed"
    | "proven"
    | "activated"
    | "damaged"
    | "spoiled"
    | "void"
    | "vanished"
    | "filed"
    | "deleted"
    | "bad";
  readonly minted: string;
  /** Its labels: file, page, row, column. */
  readonly labels: string;
  readonly good: number;
  readonly spoiled: number;
  /** By the last scan, and not marked by anybody: damaged or missing. */
  readonly damaged: number;
  readonly reprinted: number;
  readonly void_at: string;
  readonly void_by: string;
  readonly reason: string;
  readonly replaces: string;
  readonly replaced_by: string;
  readonly activated_at: string;
  readonly activated_by: string;
  /** Scans since it is void; empty where they are not counted. */
  readonly void_scans: number | undefined;
  readonly id: string;
  readonly short_link: string;
}

const columns = [
  "key",
  "line",
  "state",
  "minted",
  "labels",
  "good",
  "spoiled",
  "damaged",
  "reprinted",
  "void_at",
  "void_by",
  "reason",
  "replaces",
  "replaced_by",
  "activated_at",
  "activated_by",
  "void_scans",
  "id",
  "short_link",
] as const satisfies readonly (keyof UnitLine)[];

/** `delimiter`: default comma. */
export function writeUnitsCsv(
  file: string,
  units: Iterable<UnitLine>,
  delimiter?: string,
): Promise<WrittenFile> {
  function* rows(): Iterable<CsvCell[]> {
    for (const unit of units) yield columns.map((name) => unit[name]);
  }
  return writeTextFile(file, makeCsv(columns, rows(), { delimiter }));
}
