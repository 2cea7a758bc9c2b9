/** Which kinds of networks the cells of a column name. */
import { saysWifiType, toWifiType } from "../../base/wifi-text.ts";
import { headerFits, type Column } from "./roles.ts";

/** Counts the cells of columns that may name kinds of networks, by their header. */
export class WifiKindCounts {
  readonly #counts: ReadonlyMap<string, { filled: number; said: number; others: number }>;
  readonly #unknown = new Map<string, string>();

  constructor(headers: readonly string[]) {
    this.#counts = new Map(
      headers
        .filter((header) => headerFits(header, "wifi_type"))
        .map((header) => [header, { filled: 0, said: 0, others: 0 }]),
    );
  }

  add(cells: Readonly<Record<string, string>>): void {
    for (const [header, counts] of this.#counts) {
      const cell = (cells[header] ?? "").trim();
      if (cell === "") continue;
      const type = toWifiType(cell);
      counts.filled += 1;
      counts.said += Number(saysWifiType(cell));
      counts.others += Number(type !== undefined && type !== "WPA");
      if (type === undefined && !this.#unknown.has(header)) this.#unknown.set(header, cell);
    }
  }

  /** Undefined for other columns. */
  of(header: string): Column["wifiKinds"] {
    const counts = this.#counts.get(header);
    if (counts === undefined) return undefined;
    const { filled, said, others } = counts;
    return { tells: others > 0 && said * 2 >= filled, unknown: this.#unknown.get(header) };
  }
}
