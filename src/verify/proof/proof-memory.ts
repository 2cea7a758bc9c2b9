/** One budget of memory for all that is proven in this process at once, bytes. */
import { totalmem } from "node:os";

import { Room } from "../../base/flow/room.ts";

const MOST_BYTES = 1024 * 1024 * 1024;
const SHARE = 4;

/** The limit of a container counts, where there is one. */
function memoryBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < totalmem() ? constrained : totalmem();
}

export const proofMemory = new Room(Math.min(MOST_BYTES, Math.floor(memoryBytes() / SHARE)));
