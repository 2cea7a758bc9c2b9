/** A folder with a desk on it, anew for each test of a file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterEach, beforeEach } from "vitest";

import { openAskedDesk, type AskedDesk } from "./ask-desk.ts";

export class DeskFolder {
  folder = "";
  #desk: AskedDesk | undefined;

  constructor(name: string) {
    beforeEach(async () => {
      this.folder = mkdtempSync(path.join(tmpdir(), `desk-${name}-`));
      this.#desk = await openAskedDesk(this.folder);
    });
    afterEach(async () => {
      await this.desk.close();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  get desk(): AskedDesk {
    if (this.#desk === undefined) throw new Error("the desk is open within tests only");
    return this.#desk;
  }

  readonly write = (name: string, text: string): void =>
    writeFileSync(path.join(this.folder, name), text);

  readonly read = (name: string): string => readFileSync(path.join(this.folder, name), "utf8");

  readonly textOf = async (address: string): Promise<string> =>
    (await this.desk.get(address)).text();
}
