import { openSqlite, type Sqlite } from "../../base/sqlite/sqlite.ts";
import type { Planned } from "../../plan/planner.ts";
import type { BadRow, PlannedRow } from "../../state/row.ts";

const BATCH = 500;

/** In the mark of a batch: a row that the state has as it is planned, and one that it hasn't. */
const SAME = "s";
const OTHER = "o";

/** Rows in their order, a line of JSON each. */
interface Batch {
  readonly lines: string;
  /** A letter for each line. */
  readonly marks: string;
}

/**
 * Keeps a plan's rows on disk until the whole spreadsheet has been read: the state may change only
 * once it is known to be readable. The file has no name and goes with the process.
 */
export class Spool {
  readonly #db: Sqlite;
  #good: string[] = [];
  #bad: string[] = [];
  #marks = "";
  #same: string[] = [];

  constructor() {
    this.#db = openSqlite("");
    this.#db.exec(
      "CREATE TABLE good (lines TEXT, marks TEXT, same TEXT); CREATE TABLE bad (lines TEXT)",
    );
  }

  /** `isSame`: the state has the row as it is planned. */
  add(planned: Planned, isSame = false): void {
    if (planned.good) {
      this.#good.push(JSON.stringify(planned.row));
      this.#marks += isSame ? SAME : OTHER;
      if (isSame) this.#same.push(planned.row.key);
    } else this.#bad.push(JSON.stringify(planned.bad));
    if (this.#good.length + this.#bad.length >= BATCH) this.#flush();
  }

  *good(): Iterable<PlannedRow> {
    for (const { lines } of this.#read<Batch>("SELECT lines FROM good ORDER BY rowid"))
      for (const line of lines.split("\n")) yield JSON.parse(line) as PlannedRow;
  }

  /** Good rows that the state doesn't have as they are planned. */
  *changed(): Iterable<PlannedRow> {
    const sql = `SELECT lines, marks FROM good WHERE marks GLOB '*${OTHER}*' ORDER BY rowid`;
    for (const { lines, marks } of this.#read<Batch>(sql))
      for (const [at, line] of lines.split("\n").entries())
        if (marks[at] === OTHER) yield JSON.parse(line) as PlannedRow;
  }

  /** Keys of all other good rows. */
  *same(): Iterable<string> {
    for (const { same } of this.#read<{ same: string }>("SELECT same FROM good"))
      yield* JSON.parse(same) as string[];
  }

  *bad(): Iterable<BadRow> {
    for (const { lines } of this.#read<Batch>("SELECT lines FROM bad ORDER BY rowid"))
      for (const line of lines.split("\n")) yield JSON.parse(line) as BadRow;
  }

  close(): void {
    this.#db.close();
  }

  #read<Row>(sql: string): Iterable<Row> {
    this.#flush();
    return this.#db.iterate<Row>(sql);
  }

  #flush(): void {
    const [good, bad] = [this.#good.join("\n"), this.#bad.join("\n")];
    const same = JSON.stringify(this.#same);
    if (good !== "") this.#db.run("INSERT INTO good VALUES (?, ?, ?)", good, this.#marks, same);
    if (bad !== "") this.#db.run("INSERT INTO bad VALUES (?)", bad);
    [this.#good, this.#bad, this.#marks, this.#same] = [[], [], "", []];
  }
}
