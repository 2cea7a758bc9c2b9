import os from "node:os";

/** Name of the logged-in user; empty when the system has none. */
export function readUserName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "";
  }
}
