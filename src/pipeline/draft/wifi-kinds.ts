/** Which kinds of networks the cells of a column name. */
import { saysWifiType, toWifiType } from "../../base/text/wifi-text.ts";
import { headerFits, type Column } from "./roles.ts";

interface Counts {
  filled: number;
  /** Words that speak of a kind by themselves. */
  said: number;
  /** Kinds that aren't WPA. */
  others: number;
  /** Words such as a dash beside a password: they say nothing of the network. */
  doubtful: number;
}

const EMPTY: Counts = { filled: 0, said: 0, others: 0, doubtful: 0 };

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
    const hasPassword = this.#passwords.some(isFilled);
    for (const [header, counts] of this.#counts) {
      if (!isFilled(header)) continue;
      const cell = (cells[header] ?? "").trim();
      const type = toWifiType(cell);
      const isSaid = saysWifiType(cell);
      counts.filled += 1;
      counts.said += Number(isSaid);
      counts.others += Number(type !== undefined && type !== "WPA");
      counts.doubtful += Number(!isSaid && hasPassword);
      if (type === undefined && !this.#unknown.has(header)) this.#unknown.set(header, cell);
    }
  }

  /** Undefined for other columns. */
  of(header: string): Column["wifiKinds"] {
    const counts = this.#counts.get(header);
    if (counts === undefined) return undefined;
    const { filled, said, others, doubtful } = counts;
    const unknown = this.#unknown.get(header);
    const areClear = unknown === undefined && doubtful === 0;
    return { tells: others > 0 && (areClear || said * 2 >= filled), unknown };
  }
}
