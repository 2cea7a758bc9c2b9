/** Rows that Excel has cut short: it writes CSV 16 rows at a time, without the columns that are empty in all of them. */
import type { RawRow } from "../raw.ts";

const ROWS_OF_BLOCK = 16;
/**
 * Fewer at the end of a file may be notes, or rows that a person has added, unless a block was cut before: one
 * row alone as the block right before it.
 */
const ROWS_OF_CUT = 4;

/** Follows the rows of a file from its first line on. */
export class Blocks {
  #rows = 0;
  #block: { -readonly [K in keyof RawRow]: RawRow[K] }[] = [];
  #widest = 0;
  /** Of the block before. */
  #width = 0;
  #wasCut = false;
  /** So far, all rows of each block have as many cells. */
  #areEven = true;

  /** Whether no row is waiting for the others of its block. */
  get isAtBorder(): boolean {
    return this.#block.length === 0;
  }

  add(row: RawRow): void {
    if (!this.#areEven) return;
    this.#block.push(row);
    this.skip(1);
  }

  /** Rows without content belong to blocks, too. */
  skip(rows: number): void {
    const before = Math.floor(this.#rows / ROWS_OF_BLOCK);
    this.#rows += rows;
    if (Math.floor(this.#rows / ROWS_OF_BLOCK) > before) this.end();
  }

  /** The rows of the block are known. */
  end(): void {
    const block = this.#block;
    this.#block = [];
    const width = block[0]?.cells.length ?? this.#widest;
    this.#areEven &&= block.every(({ cells }) => cells.length === width);
    const isAsBefore = this.#wasCut && (block.length > 1 || width === this.#width);
    const isCut = block.length >= ROWS_OF_CUT || isAsBefore;
    if (this.#areEven && width < this.#widest && isCut) {
      this.#wasCut = true;
      for (const row of block) row.isCut = true;
    }
    this.#width = width;
    this.#widest = Math.max(this.#widest, width);
  }
}
