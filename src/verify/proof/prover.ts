/** The interface of provers: threads of this process, or others. All have the same results. */
import { toMessage } from "../../base/errors.ts";
import type { ArtworkRule } from "../rules/finding.ts";
import type { PagesProof, ProofTask } from "./prove-pages.ts";

/** Pages of one file. */
export interface PagesTask extends ProofTask {
  /** Where the file lies, absolute, and the SHA-256 of `pdf`, as far as known. */
  readonly file: string;
  readonly sha256?: string | undefined;
  /** Groups of processing steps (ISO 19593-1) that are switched off before anything is drawn. */
  readonly hidden: readonly string[];
  /** Pages of the whole job, these included: they decide how many threads are worth their start. */
  readonly among?: number | undefined;
}

/** A PNG or SVG file, by its name, and the text of its code. */
export interface PictureClaim {
  readonly file: string;
  readonly payload: string;
  /** Of the file as it was written, where that is known. */
  readonly sha256?: string | undefined;
}

export interface PicturesTask {
  readonly pictures: readonly PictureClaim[];
  /** Pictures of the whole job, as far as known. */
  readonly among?: number | undefined;
}

/** A fault of a picture. */
export interface PictureFlaw {
  readonly rule: ArtworkRule;
  readonly message: string;
  /** The text of its only code, where that is not its payload. */
  readonly text?: string | undefined;
}

/** Flaws in the order of the pictures; undefined for good ones. */
export type PicturesProof = readonly (PictureFlaw | undefined)[];

/** How work is handed to a prover so that no part of it waits. */
export interface Portions {
  /** Files or tasks to have under way at once. */
  readonly atOnce: number;
  /** Pictures of one task. */
  readonly pictures: number;
}

export interface Prover {
  /** How to hand over a job of so many pages or pictures. */
  portions(job: { readonly pages?: number; readonly pictures?: number }): Portions;
  /**
   * Rule 25 (docs/spec/print.md section 12) for pages of one file. Rejects unless the file is a
   * whole PDF.
   */
  pages(task: PagesTask): Promise<PagesProof>;
  /** Reads pictures. Never rejects for a faulty one. */
  pictures(task: PicturesTask): Promise<PicturesProof>;
  /** Frees what it holds, and gives up what is under way. */
  close(): Promise<void>;
}

/** Thrown where a file is not the one that was to be proven. */
export class FileChanged extends Error {
  override readonly name = "FileChanged";

  constructor(file: string) {
    super(`${file} must be the file that was written, got another: its SHA-256 differs`);
  }
}

/** Thrown when the prover has ended: it says nothing about a file. `cause` is the reason. */
export class ProofEnded extends Error {
  override readonly name = "ProofEnded";

  constructor(cause: unknown) {
    super(`the proof was given up: ${toMessage(cause)}`, { cause });
  }
}
