/** Where a scanner is, as far as the operator's database or proxy knows. */
import { isTimeZone } from "../../base/time/zoned-time.ts";
import { Remembered } from "../../base/flow/remembered.ts";
import { headOf } from "../../base/text/words.ts";
import type { Sender } from "../http/senders.ts";

export interface Place {
  /** Names in English; empty = unknown. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** IANA name of the time zone. */
  readonly zone: string;
}

export interface GeoDatabase {
  /** The place of an address; empty when the database has none. Never throws. */
  find(ip: string): Place;
}

/** Names of the headers in which a proxy gives the sender's place. */
export type GeoHeaders = Readonly<Partial<Record<keyof Place, string>>>;

export const placeParts = ["country", "region", "city", "zone"] as const;

export const nowhere: Place = { country: "", region: "", city: "", zone: "" };

const MAX_NAME = 100;
const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Proxies write UTF-8 bytes or percent escapes; Node hands bytes over as Latin-1. */
function decode(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  const text = bytes.toString("utf8");
  const readable = text.includes("\ufffd") ? value : text;
  try {
    return decodeURIComponent(readable);
  } catch {
    return readable;
  }
}

const toName = (value: string | undefined): string =>
  headOf(
    decode(value ?? "")
      .replace(/[\u0000-\u001f\u007f]/gu, " ")
      .trim(),
    MAX_NAME,
  );

/** Two letters are ISO 3166-1; XX and T1 are proxies' codes for unknown and Tor. */
function toCountry(value: string): string {
  if (!/^[A-Z][A-Z\d]$/u.test(value)) return value;
  try {
    return countryNames.of(value) ?? "";
  } catch {
    return "";
  }
}

const zones = new Remembered<string>(500);

/** The zone, or empty when it doesn't exist. */
function checkZone(zone: string): string {
  if (zone === "") return "";
  const found = zones.get(zone) ?? (isTimeZone(zone) ? zone : "");
  zones.set(zone, found);
  return found;
}

const fromHints = ([country, region, city, zone]: readonly string[]): Place => ({
  country: toCountry(toName(country)),
  region: toName(region),
  city: toName(city),
  zone: checkZone(toName(zone)),
});

/** Headers of a trusted proxy come before the database; without either, a place is empty. */
export class Places {
  readonly #database: GeoDatabase | undefined;
  readonly #known = new Remembered<Place>(10_000);

  constructor(database: GeoDatabase | undefined) {
    this.#database = database;
  }

  find({ ip, hints }: Sender): Place {
    const told = hints === undefined ? nowhere : fromHints(hints);
    if (told.country !== "" || this.#database === undefined) return told;
    const known = this.#known.get(ip);
    if (known !== undefined) return known;
    const found = this.#database.find(ip);
    const place = { ...found, zone: checkZone(found.zone) };
    this.#known.set(ip, place);
    return place;
  }
}
