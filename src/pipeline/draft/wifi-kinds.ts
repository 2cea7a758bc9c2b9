/** Which kinds of networks the cells of a column name. */
import { saysWifiType, toWifiType } from "../../base/wifi-text.ts";
import { headerFits, type Column } from "./roles.ts";

interface Counts {
  filled: number;
  /** Words that speak of a kind by themselves. */
  said: number;
  /** Of these, kinds that aren't WPA. */
  others: number;
  wep: number;
}

const EMPTY: Counts = { filled: 0, said: 0, others: 0, wep: 0 };

/** Counts the cells of columns that may name kinds of networks, by their header. */
export class WifiKindCounts {
  readonly #counts: ReadonlyMap<string, Counts>;
  readonly #passwords: readonly string[];
  readonly #unknown = new Map<string, string>();

  constructor(headers: readonly string[]) {
    const areKinds = headers.filter((header) => headerFits(header, "wifi_type"));
    this.#counts = new Map(areKinds.map((header) => [header, { ...EMPTY }]));
    this.#passwords = headers.filter((header) => headerFits(header, "wifi_password"));
  }

  add(cells: Readonly<Record<string, string>>): void {
    const isFilled = (header: string): boolean => (cells[header] ?? "").trim() !== "";
    for (const [header, counts] of this.#counts) {
      if (!isFilled(header)) continue;
      const cell = (cells[header] ?? "").trim();
      const type = toWifiType(cell);
      const isSaid = saysWifiType(cell);
      counts.filled += 1;
      counts.said += Number(isSaid);
      counts.others += Number(isSaid && type !== "WPA");
      counts.wep += Number(type === "WEP");
      // A dash beside a password says nothing.
      const isKnown = isSaid || (type !== undefined && !this.#passwords.some(isFilled));
      if (!isKnown && !this.#unknown.has(header)) this.#unknown.set(header, cell);
    }
  }

  /** Undefined for other columns. */
  of(header: string): Column["wifiKinds"] {
    const counts = this.#counts.get(header);
    if (counts === undefined) return undefined;
    const { filled, said, others, wep } = counts;
    const unknown = this.#unknown.get(header);
    const isOften = unknown === undefined || said * 2 >= filled;
    return { tells: wep > 0 || (others > 0 && isOften), unknown };
  }
}
