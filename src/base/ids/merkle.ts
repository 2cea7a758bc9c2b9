/** Hash trees as in RFC 9162 section 2.1.1: one hash for a list of any length. */
import { createHash } from "node:crypto";

const hashOf = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Takes leaves one by one; holds one hash for each power of two. */
export class MerkleTree {
  readonly #stack: { size: number; hash: Buffer }[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(leaf: string): void {
    this.#count += 1;
    let top = { size: 1, hash: hashOf(LEAF, leaf) };
    for (let last = this.#stack.at(-1); last?.size === top.size; last = this.#stack.at(-1)) {
      this.#stack.pop();
      top = { size: top.size * 2, hash: hashOf(NODE, last.hash, top.hash) };
    }
    this.#stack.push(top);
  }

  /** Lower-case hex; of an empty list the hash of nothing. */
  root(): string {
    const hashes = this.#stack.map(({ hash }) => hash);
    if (hashes.length === 0) return hashOf().toString("hex");
    return hashes.reduceRight((right, left) => hashOf(NODE, left, right)).toString("hex");
  }
}
