import os from "node:os";

/** Who is logged in; empty where the system knows no name. */
export function readUserName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "";
  }
}
