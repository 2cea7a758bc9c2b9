/** PDFs of a few kilobytes that stand for gigabytes, written byte by byte. */
import { constants, deflateRawSync } from "node:zlib";

export const MEGABYTE = 1024 * 1024;

export interface RawStream {
  readonly dict: string;
  readonly data: Uint8Array;
}

/** The objects' bodies, numbered from 1. Object 1 is the catalog. */
export function makePdf(objects: readonly (string | RawStream)[], trailer = ""): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.6\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1")];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  const write = (...buffers: readonly Uint8Array[]): void => {
    for (const buffer of buffers) {
      parts.push(Buffer.from(buffer));
      at += buffer.length;
    }
  };
  for (const [i, body] of objects.entries()) {
    offsets.push(at);
    write(Buffer.from(`${i + 1} 0 obj\n`));
    if (typeof body === "string") write(Buffer.from(`${body}\nendobj\n`, "latin1"));
    else {
      write(Buffer.from(`<< ${body.dict} /Length ${body.data.length} >>\nstream\n`, "latin1"));
      write(body.data, Buffer.from("\nendstream\nendobj\n"));
    }
  }
  const xref = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  write(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${xref}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A page of a label of 63.5 x 33.9 mm: its content is object 4, its resources are as given. */
export function makePage(
  content: RawStream,
  resources = "",
  more: readonly (string | RawStream)[] = [],
): Uint8Array {
  return makePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 180 96.09] /Contents 4 0 R /Resources << ${resources} >> >>`,
    content,
    ...more,
  ]);
}

export const plain = (text: string): RawStream => ({ dict: "", data: Buffer.from(text, "latin1") });

const ADLER = 65_521;

/** Adler-32 of a piece that stands `count` times in a row. */
function adlerOf(piece: Uint8Array, count: number): Buffer {
  let [sum, weighted] = [0, 0];
  for (const [i, byte] of piece.entries()) {
    sum = (sum + byte) % ADLER;
    weighted = (weighted + byte * ((piece.length - i) % ADLER)) % ADLER;
  }
  let [a, b] = [1, 0];
  for (let i = 0; i < count; i += 1) {
    b = (b + (piece.length % ADLER) * a + weighted) % ADLER;
    a = (a + sum) % ADLER;
  }
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(b * 65_536 + a);
  return bytes;
}

/** A text over and over, deflated one megabyte at a time: the whole never is in memory. */
export function deflateRepeated(text: string, megabytes: number): Uint8Array {
  const piece = Buffer.from(text.repeat(Math.ceil(MEGABYTE / text.length)), "latin1");
  const block = deflateRawSync(piece, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array.from({ length: megabytes }, () => block);
  const [head, end] = [Buffer.from([0x78, 0xda]), Buffer.from([3, 0])];
  return Buffer.concat([head, ...blocks, end, adlerOf(piece, megabytes)]);
}
