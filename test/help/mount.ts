/** Disks of a test: only the system's administrator may mount, and in many containers not even that. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export const mount = (...args: string[]): boolean =>
  spawnSync("mount", args, { stdio: "ignore" }).status === 0;

/** Also while a file there is open. */
export const unmount = (place: string): boolean =>
  spawnSync("umount", ["--lazy", place], { stdio: "ignore" }).status === 0;

/** The same folder, as on a disk that turned read-only; until it is unmounted. */
export const makeReadOnly = (folder: string): boolean =>
  mount("--bind", folder, folder) && mount("-o", "remount,ro,bind", folder);

export const canMount = ((): boolean => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const place = mkdtempSync(path.join(tmpdir(), "mount-"));
  const isMounted = mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", place) && unmount(place);
  rmSync(place, { recursive: true });
  return isMounted;
})();
