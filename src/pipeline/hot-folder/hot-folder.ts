/**
 * A hot folder: what is put into `in/` is run in `work/` and ends once in `ready/` or `mend/`
 * (docs/hot-folder.md). Every step is a rename or a file that is written whole: after a kill, the
 * next start knows which steps were done.
 */
import { constants, existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

import { writeFileAtomic } from "../../base/files/atomic-file.ts";
import type { Clock } from "../../base/time/clock.ts";
import { EXIT_REFUSED } from "../../base/exit-codes.ts";
import { toMessage } from "../../base/errors.ts";
import type { Ids } from "../../base/ids/ids.ts";
import { compareNaturally } from "../../base/text/natural-order.ts";
import { handBack, refuseLink } from "./hand-back.ts";
import { findOwnManifest, toFailure, toName, type Order, type OrderRun } from "./order.ts";
import { Retries } from "./retries.ts";

export const FOLDERS = ["in", "work", "ready", "mend"] as const;
export const FOLDER_MANIFESTS = ["job.yaml", "job.yml"] as const;

export interface Delivered {
  readonly name: string;
  readonly file: string;
  readonly place: "ready" | "mend";
  /** Absolute. */
  readonly folder: string;
  readonly exitCode: number;
  readonly reason: string | undefined;
  /** Its codes lead to this computer only. */
  readonly isRehearsal: boolean;
}

export interface HotFolderParts {
  /** Absolute. */
  readonly folder: string;
  /** A file that stays as it is for so long is whole. */
  readonly settleMs: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly run: (order: Order) => Promise<OrderRun>;
  readonly tell: (delivered: Delivered) => void;
  /** Called for each order that is tried again later. */
  readonly tellWaiting: (name: string, reason: string, exitCode?: number) => void;
  readonly signal: AbortSignal;
}

/** `order.json`: how far an order came. */
interface Noted {
  readonly id: string;
  readonly file: string;
  /** Its files lie in `delivery`, and go there. */
  readonly delivery?: Omit<Delivered, "name" | "file" | "folder"> & { readonly as: string };
}

const DATA = /\.(?:csv|tsv|txt|xlsx|xlsm)$/iu;
/** What a run lists for people to act on: read as a job of its own, codes would be made twice. */
const OWN_LIST = /^(?:failed-rows|vanished-rows)\.(?:csv|xlsx)$/iu;
const MANIFEST = /\.ya?ml$/iu;
/** Names under which programs write what is not whole yet. */
const UNFINISHED = /^[.~]|\.(?:part|partial|filepart|tmp|temp|crdownload|download|swp)$|~$/iu;
/** Exit codes that are worth another try: token or workspace refused, server away, job locked. */
const LATER: ReadonlySet<number> = new Set([EXIT_REFUSED, 5, 7]);
const INTERRUPTED = 130;
/** A manifest may come this many settle times after its spreadsheet. */
const MANIFEST_PATIENCE = 5;
const ROWS_FAILED = 3;

interface Seen {
  readonly stamp: string;
  readonly sinceMs: number;
  /** Since when it has lain here, even if it changed meanwhile. */
  readonly firstMs: number;
}

async function stampOf(file: string): Promise<string> {
  const { size, mtimeNs, ino } = await lstat(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

export class HotFolder {
  readonly #parts: HotFolderParts;
  #seen = new Map<string, Seen>();
  /** Orders that were taken and have not ended; undefined until `work/` was looked through once. */
  #open: Set<string> | undefined;
  readonly #retries: Retries;

  constructor(parts: HotFolderParts) {
    this.#parts = parts;
    this.#retries = new Retries(parts.clock);
  }

  #at(...names: string[]): string {
    return path.join(this.#parts.folder, ...names);
  }

  async prepare(): Promise<void> {
    for (const name of FOLDERS) await mkdir(this.#at(name), { recursive: true });
  }

  /**
   * One look: goes on with what was begun, takes what is whole. Answers how many files still wait, other
   * than for somebody to act.
   */
  async look(): Promise<number> {
    const open = await this.#goOn();
    const settled = await this.#findSettled();
    for (const name of open) await this.#takeMended(name);
    for (const file of settled) {
      if (this.#parts.signal.aborted) break;
      // Another file of this name may have been taken already, and wait for its server.
      if (!open.has(toName(file)) && this.#retries.isDue(toName(file))) await this.#take(file);
    }
    const files = [...this.#seen.keys()].filter((file) => !MANIFEST.test(file));
    return [...files.map(toName), ...open].filter(
      (name) => !this.#retries.isRefused(name) || this.#findMended(name) !== undefined,
    ).length;
  }

  /** A manifest that is put in for an order that was refused; one beside a spreadsheet is that one's. */
  #findMended(name: string): string | undefined {
    const isNext = [...this.#seen.keys()].some(
      (file) => !MANIFEST.test(file) && toName(file) === name,
    );
    return isNext || !this.#retries.isRefused(name)
      ? undefined
      : findOwnManifest(this.#at("in"), name);
  }

  /** An order that was refused goes on with it. */
  async #takeMended(name: string): Promise<void> {
    const own = this.#findMended(name);
    if (own === undefined || !this.#isWhole(own)) return;
    const taken = rename(this.#at("in", own), this.#at("work", `${name}.yaml`));
    if (await taken.then(() => true).catch(() => false)) this.#retries.forget(name);
  }

  /** One that came since this look began is looked at by the next one. */
  #isWhole(file: string): boolean {
    const nowMs = this.#parts.clock.monotonicMs();
    return nowMs - (this.#seen.get(file)?.sinceMs ?? nowMs) >= this.#parts.settleMs;
  }

  /** Orders that were taken: by a watcher that was killed, or that wait for a server. */
  async #goOn(): Promise<Set<string>> {
    this.#open ??= await this.#findOpen();
    for (const name of this.#open) {
      if (this.#parts.signal.aborted) break;
      const isGone = !existsSync(this.#at("work", name));
      if (isGone) this.#retries.forget(name);
      if (isGone || this.#retries.isDue(name)) await this.#try(name);
    }
    return this.#open;
  }

  /** Only this watcher takes orders, so one look through `work/` is enough. */
  async #findOpen(): Promise<Set<string>> {
    const entries = await readdir(this.#at("work"), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const open = new Set<string>();
    for (const name of names.toSorted(compareNaturally)) {
      const [taken] = await readdir(this.#at("work", name, "source")).catch(() => []);
      if (taken !== undefined || existsSync(this.#at("work", name, "order.json"))) open.add(name);
    }
    return open;
  }

  /** Works on an order. One that fails, as on a full disk, is tried again and stops no other. */
  async #try(name: string): Promise<void> {
    try {
      const noted = await this.#readNoted(name);
      if (noted === undefined) this.#open?.delete(name);
      else await this.#work(name, noted);
    } catch (error) {
      this.#wait(name, toMessage(error));
    }
  }

  async #readNoted(name: string): Promise<Noted | undefined> {
    const file = this.#at("work", name, "order.json");
    if (existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as Noted;
    // Killed between the rename and the note.
    const [taken] = await readdir(this.#at("work", name, "source")).catch(() => []);
    return taken === undefined
      ? undefined
      : this.#note(name, { id: this.#parts.ids.uuid(), file: taken });
  }

  async #note(name: string, noted: Noted): Promise<Noted> {
    await writeFileAtomic(this.#at("work", name, "order.json"), `${JSON.stringify(noted)}\n`);
    return noted;
  }

  /** Files of `in/` that have stayed as they are for long enough, in the order in which people count. */
  async #findSettled(): Promise<string[]> {
    const { clock, settleMs } = this.#parts;
    const nowMs = clock.monotonicMs();
    const seen = new Map<string, Seen>();
    for (const entry of await readdir(this.#at("in"), { withFileTypes: true })) {
      if (entry.isDirectory() || UNFINISHED.test(entry.name)) continue;
      const stamp = await stampOf(this.#at("in", entry.name)).catch(() => undefined);
      if (stamp === undefined) continue;
      const known = this.#seen.get(entry.name);
      const isSame = known?.stamp === stamp;
      seen.set(entry.name, {
        stamp,
        sinceMs: isSame ? known.sinceMs : nowMs,
        firstMs: known?.firstMs ?? nowMs,
      });
    }
    this.#seen = seen;
    const whole = [...seen].filter(([, { sinceMs }]) => nowMs - sinceMs >= settleMs);
    const files = whole.map(([file]) => file).filter((file) => !MANIFEST.test(file));
    return files.toSorted(compareNaturally).filter((file) => this.#mayBeTaken(file, nowMs));
  }

  /** Its manifest must be whole, and the former order of its name over. */
  #mayBeTaken(file: string, nowMs: number): boolean {
    const name = toName(file);
    const { settleMs } = this.#parts;
    const own = findOwnManifest(this.#at("in"), name);
    if (own !== undefined) return this.#isWhole(own);
    const { firstMs = nowMs } = this.#seen.get(file) ?? {};
    return (
      this.#findManifest(name) !== undefined || nowMs - firstMs >= MANIFEST_PATIENCE * settleMs
    );
  }

  /** That of an earlier order of the name, or that of the folder. */
  #findManifest(name: string): string | undefined {
    const files = [`work/${name}.yaml`, ...FOLDER_MANIFESTS].map((file) => this.#at(file));
    return files.find((file) => existsSync(file));
  }

  async #take(file: string): Promise<void> {
    const name = toName(file);
    const own = findOwnManifest(this.#at("in"), name);
    // It came while another order ran.
    if (own !== undefined && !this.#isWhole(own)) return;
    try {
      await mkdir(this.#at("work", name, "source"), { recursive: true });
      if (own !== undefined) await rename(this.#at("in", own), this.#at("work", `${name}.yaml`));
      await rename(this.#at("in", file), this.#at("work", name, "source", file));
    } catch (error) {
      // It was taken away again; or it can't be moved, and is tried again later.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#wait(name, toMessage(error));
      return;
    }
    this.#seen.delete(file);
    this.#open?.add(name);
    await this.#try(name);
  }

  /** Runs an order, or hands on its finished files. */
  async #work(name: string, noted: Noted): Promise<void> {
    if (noted.delivery !== undefined) return this.#handOn(name, noted);
    const source = this.#at("work", name, "source", noted.file);
    const manifest = this.#findManifest(name);
    const order = {
      id: noted.id,
      name,
      source,
      manifest: manifest ?? "",
      out: this.#at("work", name, "out"),
    };
    const fault = await this.#refuse(order);
    const status = { id: noted.id, name, file: noted.file };
    await this.#writeStatus(this.#at("work", name), { ...status, state: "working" });
    const startedMs = this.#parts.clock.nowMs();
    const before = await stampOf(source);
    const made = fault === undefined ? await this.#run(order) : toFailure(2, fault);
    if (made.exitCode === INTERRUPTED) return;
    if (LATER.has(made.exitCode)) return this.#waitFor(name, this.#nameManifest(made, order));
    if ((await stampOf(source)) !== before) {
      const reason = "its spreadsheet was still being written: run again once it stays as it is";
      return this.#waitFor(name, { ...made, reason });
    }
    const place = made.exitCode === 0 ? "ready" : "mend";
    await this.#build(order, made, {
      ...status,
      state: place,
      exitCode: made.exitCode,
      reason: made.reason ?? null,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: new Date(this.#parts.clock.nowMs()).toISOString(),
      summary: made.summary ?? null,
    });
    const { exitCode, reason, isRehearsal } = made;
    const as = this.#freeName(place, name);
    const delivery = { place, exitCode, reason, isRehearsal, as } as const;
    await this.#handOn(name, await this.#note(name, { ...noted, delivery }));
  }

  async #refuse({ source, manifest, name }: Order): Promise<string | undefined> {
    const linked = await refuseLink(source, "it");
    if (linked !== undefined) return linked;
    if (!(await lstat(source)).isFile()) return "it must be a file, got a device or a pipe";
    if (!DATA.test(source)) return "it must be a CSV or XLSX file: save it as one";
    if (OWN_LIST.test(path.basename(source)))
      return "it must not have the name of a list that a run writes: put the spreadsheet itself, mended, into in/ under its own name";
    if (manifest === "")
      return `a manifest must say what to make of it, got neither ${name}.yaml in in/ nor job.yaml in the folder; put one there, then put the spreadsheet into in/ again`;
    // The folder's own manifest is its owner's: it may be a link.
    const isPutIn = path.dirname(manifest) === this.#at("work");
    return isPutIn ? refuseLink(manifest, path.basename(manifest)) : undefined;
  }

  async #run(order: Order): Promise<OrderRun> {
    try {
      return await this.#parts.run(order);
    } catch (error) {
      return toFailure(1, toMessage(error));
    }
  }

  /** What is refused may be mended in the manifest, which a person finds in either of two places. */
  #nameManifest(made: OrderRun, { manifest }: Order): OrderRun {
    if (made.exitCode !== EXIT_REFUSED) return made;
    const [first = "", ...more] = (made.reason ?? "").split("\n");
    const named = `${first}; its manifest is ${path.relative(this.#at(), manifest)}`;
    return { ...made, reason: [named, ...more].join("\n") };
  }

  async #waitFor(name: string, { reason = "", exitCode }: OrderRun): Promise<void> {
    await this.#writeStatus(this.#at("work", name), { name, state: "waiting", reason });
    this.#wait(name, reason, exitCode);
  }

  #wait(name: string, reason: string, exitCode?: number): void {
    this.#retries.later(name, exitCode === EXIT_REFUSED);
    this.#parts.tellWaiting(name, reason, exitCode);
  }

  #writeStatus(folder: string, status: object): Promise<void> {
    return writeFileAtomic(
      path.join(folder, "status.json"),
      `${JSON.stringify(status, null, 2)}\n`,
    );
  }

  /** Gathers all that is handed on in a hidden folder. */
  async #build(order: Order, made: OrderRun, status: object): Promise<void> {
    const { name, source, out } = order;
    const delivery = this.#at("work", name, "delivery");
    await rm(delivery, { recursive: true, force: true });
    await mkdir(delivery, { recursive: true });
    const hasMade = made.exitCode === 0 || made.exitCode === ROWS_FAILED;
    for (const file of hasMade ? made.files : []) {
      const target = path.join(delivery, path.relative(out, file));
      if (!target.startsWith(delivery + path.sep)) continue;
      await mkdir(path.dirname(target), { recursive: true });
      await cp(file, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
    }
    if (made.reason !== undefined)
      await writeFileAtomic(path.join(delivery, "reason.txt"), `${made.reason}\n`);
    await this.#writeStatus(delivery, status);
    // At last: what is written after it would take the place of a file of that name.
    await handBack(source, delivery);
    await this.#writeStatus(this.#at("work", name), status);
  }

  /** Never overwrites what lies there. */
  #freeName(place: string, name: string): string {
    for (let n = 1; ; n += 1) {
      const as = n === 1 ? name : `${name}-${n}`;
      if (!existsSync(this.#at(place, as))) return as;
    }
  }

  /** One rename hands it on: the order is in `work/` before, and in one other place after. */
  async #handOn(name: string, noted: Noted): Promise<void> {
    const { delivery, file } = noted;
    if (delivery === undefined) return;
    const { place, exitCode, reason, isRehearsal } = delivery;
    const built = this.#at("work", name, "delivery");
    let { as } = delivery;
    // Gone: it was handed on before a kill, and somebody may have taken it away since.
    if (existsSync(built)) {
      if (existsSync(this.#at(place, as))) {
        as = this.#freeName(place, name);
        await this.#note(name, { ...noted, delivery: { ...delivery, as } });
      }
      await rename(built, this.#at(place, as));
    }
    await rm(this.#at("work", name, "source"), { recursive: true, force: true });
    await rm(this.#at("work", name, "order.json"), { force: true });
    this.#open?.delete(name);
    this.#retries.forget(name);
    this.#parts.tell({
      name,
      file,
      place,
      folder: this.#at(place, as),
      exitCode,
      reason,
      isRehearsal,
    });
  }
}
