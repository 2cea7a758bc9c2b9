/** An operator's MMDB file (GeoLite2 City, DB-IP City and the like). */
import { readFile } from "node:fs/promises";

import { Reader, type CityResponse } from "mmdb-lib";

import { AppError, toMessage } from "../../base/errors.ts";
import type { GeoDatabase } from "./places.ts";

/** Some files write names as plain text instead of by language. */
type Names = { readonly names?: { readonly en?: string } } | string | undefined;

const toName = (record: Names): string =>
  typeof record === "string" ? record : (record?.names?.en ?? "");

/** Reads the whole file into memory. A file of another format is "bad-usage". */
export async function openGeoDatabase(file: string): Promise<GeoDatabase> {
  let reader: Reader<CityResponse>;
  try {
    reader = new Reader<CityResponse>(await readFile(file));
  } catch (cause) {
    throw new AppError("bad-usage", `the geo database must be an MMDB file, got ${file}`, {
      hint: `give a file such as GeoLite2-City.mmdb (${toMessage(cause)})`,
      cause,
    });
  }
  const get = (ip: string): CityResponse | null => {
    try {
      return reader.get(ip);
    } catch {
      // Not an address: a service that is used without a socket.
      return null;
    }
  };
  return {
    find(ip) {
      const found = get(ip);
      return {
        country: toName(found?.country),
        region: toName(found?.subdivisions?.[0]),
        city: toName(found?.city),
        zone: found?.location?.time_zone ?? "",
      };
    },
  };
}
