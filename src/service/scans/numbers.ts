/** The small numbers by which scans refer to codes and profiles. */
import { Remembered } from "../../base/flow/remembered.ts";

import type { Rows } from "../store/store.ts";
import type { Device } from "./device.ts";
import type { Place } from "./places.ts";

const FIND_CODE = "SELECT number, workspace_id FROM scanned_codes WHERE code_id = ?";
const ADD_CODE = `
  INSERT INTO scanned_codes (code_id, workspace_id) SELECT id, workspace_id FROM codes WHERE id = ?`;
const FIND_PROFILE = `
  SELECT id FROM scan_profiles WHERE device = ? AND os = ? AND browser = ?
    AND country = ? AND region = ? AND city = ? AND zone = ?`;
const ADD_PROFILE = `
  INSERT INTO scan_profiles (device, os, browser, country, region, city, zone)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

export interface NumberedCode {
  readonly number: number;
  readonly workspace_id: string;
}

/**
 * Codes by their numbers. Deleted codes are remembered too: late scans get the number of the
 * deleted code, and no other code ever gets it.
 */
export class CodeNumbers {
  readonly #known = new Remembered<NumberedCode>(50_000);

  has(codeId: string): boolean {
    return this.#known.get(codeId) !== undefined;
  }

  keep(codeId: string, code: NumberedCode): void {
    this.#known.set(codeId, code);
  }

  async find(rows: Rows, codeId: string): Promise<NumberedCode | undefined> {
    const known = this.#known.get(codeId);
    if (known !== undefined) return known;
    const find = () => rows.get<NumberedCode>(FIND_CODE, codeId);
    const found =
      (await find()) ?? ((await rows.run(ADD_CODE, codeId)) === 0 ? undefined : await find());
    if (found !== undefined) this.#known.set(codeId, found);
    return found;
  }

  /** To be called when a transaction was undone: rows that it made don't exist. */
  forget(): void {
    this.#known.clear();
  }
}

export class Profiles {
  readonly #known = new Remembered<number>(10_000);
  /** The same by the objects themselves, which their sources remember. */
  #byObject = new WeakMap<Device, WeakMap<Place, number>>();

  /** Undefined until it was found once. */
  known(device: Device, place: Place): number | undefined {
    return this.#byObject.get(device)?.get(place);
  }

  async find(rows: Rows, device: Device, place: Place): Promise<number> {
    const id = await this.#findByValues(rows, device, place);
    const places = this.#byObject.get(device) ?? new WeakMap<Place, number>();
    this.#byObject.set(device, places.set(place, id));
    return id;
  }

  async #findByValues(rows: Rows, device: Device, place: Place): Promise<number> {
    const { kind, os, browser } = device;
    const { country, region, city, zone } = place;
    const values = [kind, os, browser, country, region, city, zone];
    const key = values.join("\u0000");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const find = async () => (await rows.get<{ id: number }>(FIND_PROFILE, ...values))?.id;
    const found =
      (await find()) ?? ((await rows.run(ADD_PROFILE, ...values)) === 0 ? undefined : await find());
    if (found === undefined) throw new Error("a profile that was stored must be found");
    this.#known.set(key, found);
    return found;
  }

  /** To be called when a transaction was undone: rows that it made don't exist. */
  forget(): void {
    this.#known.clear();
    this.#byObject = new WeakMap();
  }
}
