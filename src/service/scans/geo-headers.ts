/** The headers in which proxies give a sender's place. */
import { badUsage } from "../../base/errors.ts";

import { placeParts, type GeoHeaders, type Place } from "./places.ts";

/** Header names of known proxies. */
const known: Readonly<Record<string, GeoHeaders>> = {
  cloudflare: {
    country: "cf-ipcountry",
    region: "cf-region",
    city: "cf-ipcity",
    zone: "cf-timezone",
  },
  cloudfront: {
    country: "cloudfront-viewer-country",
    region: "cloudfront-viewer-country-region-name",
    city: "cloudfront-viewer-city",
    zone: "cloudfront-viewer-time-zone",
  },
};

const isPart = (part: string): part is keyof Place => placeParts.some((one) => one === part);

/** The name of a known proxy, or `country=X-Country,city=X-City`. Throws "bad-usage". */
export function parseGeoHeaders(text: string): GeoHeaders {
  const preset = known[text.trim().toLowerCase()];
  if (preset !== undefined) return preset;
  const pairs = text.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  const headers: [keyof Place, string][] = [];
  for (const [part = "", name = "", ...more] of pairs) {
    if (!isPart(part) || !/^[\w-]{1,100}$/u.test(name) || more.length > 0) {
      throw badUsage(
        `geo headers must be ${Object.keys(known).join(", ")} or pairs of ${placeParts.join(", ")} and a header, got ${JSON.stringify(text)}`,
        "such as country=X-Country,city=X-City,zone=X-Time-Zone",
      );
    }
    headers.push([part, name.toLowerCase()]);
  }
  return Object.fromEntries(headers);
}
