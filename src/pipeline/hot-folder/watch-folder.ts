import path from "node:path";

import { lockFolder } from "../../state/lock.ts";
import { HotFolder, type HotFolderParts } from "./hot-folder.ts";

const LOOK_MS = 500;

interface WatchOptions {
  /** Ends when nothing is left that goes on before somebody acts. */
  readonly isOnce: boolean;
  /** Called once the watch has begun: no other program watches the folder. */
  readonly onBegin: () => void;
}

/** Looks into a hot folder until the signal is aborted. Throws `job-locked` where another one does. */
export async function watchFolder(
  parts: HotFolderParts,
  { isOnce, onBegin }: WatchOptions,
): Promise<void> {
  const { folder, signal, clock } = parts;
  const hot = new HotFolder(parts);
  await hot.prepare();
  const lock = await lockFolder(path.join(folder, "work"));
  try {
    onBegin();
    for (;;) {
      const waiting = await hot.look();
      if (signal.aborted || (isOnce && waiting === 0)) return;
      await clock.sleep(LOOK_MS, signal);
    }
  } finally {
    lock.release();
  }
}
