/** The modules of a text by an encoder that we did not write, since ours can't prove itself. */
import { type Bitmap2D, correction, generate, type Mask, type Mode, mode } from "lean-qr";

import {
  ALPHANUMERIC,
  findSegments,
  groupOfVersion,
  MAX_PAYLOAD_BYTES,
  NUMERIC,
} from "../../qr/encode/segments.ts";
import type { QrLevel } from "../../qr/encode/tables.ts";

/** The format of a code, any of which gives the same text. */
export interface MatrixChoice {
  readonly version: number;
  readonly level: QrLevel;
  /** 0 to 7. */
  readonly mask: number;
}

/** Its side, and which of its modules are dark; those beyond it are light. */
export type OtherMatrix = Pick<Bitmap2D, "size" | "get">;

const UTF8 = 26;
const MODES = {
  numeric: { digits: /^[0-9]+$/u, write: mode.numeric },
  alphanumeric: { digits: /^[0-9A-Z $%*+\-./:]+$/u, write: mode.alphaNumeric },
} as const;

const encoder = new TextEncoder();

/**
 * A text may be split in many ways: the other encoder gets our split, and encodes each part by
 * itself.
 */
function toModes(text: string, version: number): Mode[] | undefined {
  const bytes = encoder.encode(text);
  if (bytes.length === 0 || bytes.length > MAX_PAYLOAD_BYTES) return undefined;
  const { count, modes, ends } = findSegments(bytes, bytes.length, groupOfVersion(version));
  const written: Mode[] = bytes.length > text.length ? [mode.eci(UTF8)] : [];
  let from = 0;
  for (let i = 0; i < count; i += 1) {
    const part = bytes.subarray(from, ends[i]);
    from = ends[i] ?? 0;
    if (modes[i] !== NUMERIC && modes[i] !== ALPHANUMERIC) {
      written.push(mode.bytes(part));
      continue;
    }
    const { digits, write } = modes[i] === NUMERIC ? MODES.numeric : MODES.alphanumeric;
    const characters = Buffer.from(part).toString("latin1");
    if (!digits.test(characters)) return undefined;
    written.push(write(characters));
  }
  return from === bytes.length ? written : undefined;
}

/** Undefined where no code of this choice holds the text, or where it can't be split as ours is. */
export function encodeByOther(
  text: string,
  { version, level, mask }: MatrixChoice,
): OtherMatrix | undefined {
  const modes = toModes(text, version);
  if (modes === undefined) return undefined;
  const wanted = correction[level];
  try {
    return generate(mode.multi(...modes), {
      minVersion: version,
      maxVersion: version,
      minCorrectionLevel: wanted,
      maxCorrectionLevel: wanted,
      mask: mask as Mask,
    });
  } catch (error) {
    // Its only errors: the text is too long for what was chosen.
    if (error instanceof Error && error.message.startsWith("lean-qr error")) return undefined;
    throw error;
  }
}
