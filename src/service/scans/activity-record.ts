/** One scan on the wire (docs/spec/api.md section 2.6): in the activity list and in webhooks. */
import { Remembered } from "../../base/flow/remembered.ts";
import { describeDevice } from "./device.ts";

export interface ScanRecord {
  readonly id: string;
  readonly code_id: string;
  readonly time: number;
  readonly scanner_id: string;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly zone: string;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
}

const formats = new Remembered<Intl.DateTimeFormat>(100);

function toFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
    timeZone: zone,
  });
  formats.set(zone, format);
  return format;
}

/** Degrees north and east. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** 4 decimals: about 11 m. */
const toText = ({ latitude, longitude }: Position): string =>
  `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;

const addPosition = (names: string, position: Position): string =>
  names === "" ? toText(position) : `${names} (${toText(position)})`;

function toLocation({ city, region, country, latitude, longitude }: ScanRecord): string {
  const names = [city, region, country].filter((part) => part !== "").join(", ");
  return typeof latitude === "number" && typeof longitude === "number"
    ? addPosition(names, { latitude, longitude })
    : names;
}

export interface ActivityRecord {
  readonly id: string;
  readonly qr_code_id: string;
  readonly time_utc: string;
  readonly time_timezone_aware: string;
  readonly location: string;
  readonly device: string;
  readonly scanner_id: string;
}

export const withPosition = (record: ActivityRecord, position: Position): ActivityRecord => ({
  ...record,
  location: addPosition(record.location, position),
});

/** Local time is that of the scanner's place; without one, the workspace's (`zone`), else UTC. */
export function toActivity(scan: ScanRecord, zone: string | null): ActivityRecord {
  return {
    id: scan.id,
    qr_code_id: scan.code_id,
    time_utc: new Date(scan.time).toISOString(),
    time_timezone_aware: toFormat(scan.zone || (zone ?? "UTC")).format(scan.time),
    location: toLocation(scan),
    device: describeDevice({ kind: scan.device, os: scan.os, browser: scan.browser }),
    scanner_id: scan.scanner_id,
  };
}
