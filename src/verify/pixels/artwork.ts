import { readFile } from "node:fs/promises";

import { sayUnreadable } from "../../base/files/disk-error.ts";
import { toMessage } from "../../base/errors.ts";
import { mapAtOnce } from "../../base/flow/room.ts";
import { readSmallFile } from "../../base/files/small-file.ts";
import { headOf } from "../../base/text/words.ts";
import type { DecodedCode, PixelImage, QrDecoder } from "../../qr/read/decode.ts";
import { readPlainPng } from "../../qr/read/png-read.ts";
import { readCodes } from "../../qr/read/read-code.ts";
import { readSvgCodes } from "../../qr/read/read-svg.ts";
import { loadDecoder } from "../../qr/read/load-decoder.ts";
import type { PictureClaim, PictureFlaw, PicturesProof } from "../proof/prover.ts";

interface Seen {
  readonly codes: readonly DecodedCode[];
  /** The pixels, for a look where no code is found. */
  readonly look: () => PixelImage | Promise<PixelImage>;
}

async function see(file: string, bytes: Uint8Array, decoder: QrDecoder): Promise<Seen> {
  if (file.endsWith(".svg")) return readSvgCodes(decoder, bytes);
  return { codes: await readCodes(decoder, bytes), look: () => readPlainPng(bytes) };
}

/** A difference below this, of 255, no scanner sees. */
const FAINT = 16;

/** True for a picture of one colour, on white where it is transparent. */
function isEmpty({ data }: PixelImage): boolean {
  let [darkest, lightest] = [255, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    const grey = 255 - ((255 - (red + green * 2 + blue) / 4) * alpha) / 255;
    darkest = Math.min(darkest, grey);
    lightest = Math.max(lightest, grey);
  }
  return lightest - darkest < FAINT;
}

async function judge(artwork: PictureClaim, decoder: QrDecoder): Promise<PictureFlaw | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = readSmallFile(artwork.file).bytes ?? (await readFile(artwork.file));
  } catch (error) {
    return { rule: "artwork-missing", message: sayUnreadable(error) };
  }
  let seen: Seen;
  try {
    seen = await see(artwork.file, bytes, decoder);
  } catch (error) {
    return { rule: "artwork-damaged", message: toMessage(error) };
  }
  const { codes, look } = seen;
  const [code] = codes;
  if (code === undefined) {
    return isEmpty(await look())
      ? { rule: "artwork-empty", message: "picture must show a code, got one colour" }
      : { rule: "artwork-unreadable", message: "no code can be read in the picture" };
  }
  if (codes.length > 1)
    return { rule: "artwork-mismatch", message: `picture must hold one code, got ${codes.length}` };
  if (code.text === artwork.payload) return undefined;
  const [got, wanted] = [code.text, artwork.payload].map((text) =>
    JSON.stringify(headOf(text, 200)),
  );
  const message = `code must say ${wanted}, got ${got}`;
  return { rule: "artwork-mismatch", message, text: code.text };
}

/** Files under way at a time: drawings are drawn in other threads while this one reads codes. */
const AHEAD = 3;

/** Reads pictures in this thread. Never rejects for a faulty picture. */
export async function readPictures(pictures: readonly PictureClaim[]): Promise<PicturesProof> {
  const decoder = await loadDecoder();
  return mapAtOnce(pictures, AHEAD, (picture) => judge(picture, decoder));
}
