/** What was scanned: figures of the selected codes, in bulk, and of some of them in detail. */
import type { Analytics } from "../api/scan.ts";
import { AppError } from "../base/errors.ts";
import type { Client } from "../client/client.ts";
import { isSameWindow, type ScanWindow } from "../plan/scan-window.ts";
import { Catalog, readSelection, type FoundCode } from "./catalog.ts";
import type { CodeSelect } from "../base/shapes/code-select.ts";
import { toSelection } from "./select.ts";

/** One code with the counts of every window that was asked for. */
export interface ScannedCode {
  readonly code: FoundCode;
  readonly scans: number | null;
  readonly uniqueScans: number | null;
  readonly previousScans: number | null;
  readonly previousUniqueScans: number | null;
  /** Scans in the window in which there should be some; null when none was asked for. */
  readonly flagScans: number | null;
}

export interface ScanWindowsWanted {
  readonly current: ScanWindow;
  readonly previous: ScanWindow | null;
  readonly flag: ScanWindow | null;
}

type ScanClient = Pick<Client, "listCodes" | "folders" | "getAnalytics" | "eachRead">;

/** The catalogs of a reading: one per window. Close them. */
export class Scans {
  readonly #current = new Catalog();
  readonly #previous = new Catalog();
  readonly #flag = new Catalog();
  readonly #windows: ScanWindowsWanted;

  constructor(windows: ScanWindowsWanted) {
    this.#windows = windows;
  }

  /** Reads every window, 200 codes with each GET. The same window is read once. */
  async read(
    client: ScanClient,
    select: CodeSelect,
    { withTags, signal }: { withTags: boolean; signal: AbortSignal },
  ): Promise<void> {
    const { current, previous, flag } = this.#windows;
    const include = withTags ? (["scans", "tags"] as const) : (["scans"] as const);
    const selection = await toSelection(client, select, { include, window: toQuery(current) });
    await readSelection(client, selection, this.#current, signal);
    const others = [
      [previous, this.#previous],
      [isSameWindow(flag, current) ? null : flag, this.#flag],
    ] as const;
    for (const [window, catalog] of others) {
      if (window === null) continue;
      const { query, takes } = selection;
      const again = { query: { ...query, ...toQuery(window) }, takes };
      await readSelection(client, again, catalog, signal);
    }
  }

  get count(): number {
    return this.#current.count;
  }

  /** By folder and name. */
  *codes(): Iterable<ScannedCode> {
    for (const code of this.#current.codes()) {
      const { scans, uniqueScans } = code;
      yield { code, scans, uniqueScans, ...this.#before(code), flagScans: this.#flagged(code) };
    }
  }

  /** A code that is missing in the window before was made since: it had no scans. */
  #before({ id, scans }: FoundCode): Pick<ScannedCode, "previousScans" | "previousUniqueScans"> {
    const isCompared = this.#windows.previous !== null && scans !== null;
    if (!isCompared) return { previousScans: null, previousUniqueScans: null };
    const before = this.#previous.byId(id);
    return {
      previousScans: before?.scans ?? 0,
      previousUniqueScans: before?.uniqueScans ?? 0,
    };
  }

  #flagged(code: FoundCode): number | null {
    const { flag, current } = this.#windows;
    if (flag === null) return null;
    return (isSameWindow(flag, current) ? code : this.#flag.byId(code.id))?.scans ?? null;
  }

  close(): void {
    for (const catalog of [this.#current, this.#previous, this.#flag]) catalog.close();
  }
}

const toQuery = ({ start, end }: ScanWindow): { start: string; end: string } => ({ start, end });

/** The analytics of some codes, one GET each. A code that is gone meanwhile is left out. */
export async function readDetails(
  client: ScanClient,
  ids: readonly string[],
  { window, signal }: { window: ScanWindow; signal: AbortSignal },
): Promise<Map<string, Analytics>> {
  const found = new Map<string, Analytics>();
  const work = async (id: string): Promise<void> => {
    try {
      found.set(id, await client.getAnalytics(id, toQuery(window)));
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "missing") throw error;
    }
  };
  await client.eachRead(ids, work, { signal });
  return found;
}
