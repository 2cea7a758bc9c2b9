/** How far the memory of a WebAssembly module may grow (WebAssembly core specification, 5.5.8). */

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;
const PAGE_BYTES = 65_536;
const MORE = 0x80;

/** A number of 7 bits a byte, lowest first. */
function readNumber(bytes: Uint8Array, at: number): { value: number; next: number } {
  let [value, next] = [0, at];
  for (let weight = 1; ; weight *= 128) {
    const byte = bytes[next] ?? 0;
    value += (byte % MORE) * weight;
    next += 1;
    if (byte < MORE) return { value, next };
  }
}

/** Where the maximum of the module's one memory stands. */
function findMaximum(wasm: Uint8Array): { at: number; end: number } {
  for (let at = HEADER_BYTES; at < wasm.length;) {
    const { value: size, next } = readNumber(wasm, at + 1);
    if (wasm[at] === MEMORY_SECTION && wasm[next] === 1 && wasm[next + 1] === HAS_MAXIMUM) {
      const least = readNumber(wasm, next + 2);
      return { at: least.next, end: readNumber(wasm, least.next).next };
    }
    at = next + size;
  }
  throw new Error("WebAssembly module must have a memory with a maximum");
}

/** The module with another maximum for its memory, changed in place. It must not be more than it was. */
export function capMemory(
  wasm: Uint8Array<ArrayBuffer>,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const { at, end } = findMaximum(wasm);
  let pages = Math.floor(maxBytes / PAGE_BYTES);
  // As many bytes as before: those on top may be empty.
  for (let place = at; place < end; place += 1) {
    wasm[place] = (pages % MORE) + (place + 1 < end ? MORE : 0);
    pages = Math.floor(pages / MORE);
  }
  return wasm;
}
