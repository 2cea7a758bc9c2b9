/** What scans are compared with: where each code of a printed sheet lies, and the hash of what it says. */
import type { BoxMm } from "../print/layout/box.ts";

/** One code on paper. */
export interface ScanCell {
  /** Row and column on the sheet, from 1. */
  readonly row: number;
  readonly column: number;
  readonly key: string;
  /** SHA-256 of its payload, hex. */
  readonly payloadHash: string;
  /** QR version, and side of a module in mm. */
  readonly version: number;
  readonly xMm: number;
  /** On the trimmed sheet, mm; the code without its quiet zone. */
  readonly label: BoxMm;
  readonly code: BoxMm;
}

/** One printed page. */
export interface ScanSheet {
  /** The PDF, as the job names it, and its page from 1. */
  readonly file: string;
  readonly page: number;
  /** The paper, and where the trimmed sheet lies on it, mm. */
  readonly pageMm: { readonly width: number; readonly height: number };
  readonly offsetMm: { readonly x: number; readonly y: number };
  readonly cells: readonly ScanCell[];
  /** Its labels were printed once more: their codes stand on other sheets as well. */
  readonly isReprint?: boolean;
}
