/** What a user agent says about itself, as far as people care: kind, system, browser. */

export interface Device {
  readonly kind: "Mobile" | "Tablet" | "Desktop" | "bot" | "";
  readonly os: string;
  readonly browser: string;
}

/** Crawlers and the fetchers of link previews: activity, but no scan. CUBOT makes telephones. */
const BOT =
  /(?<!cu)bot\b|crawl|spider|slurp|facebookexternalhit|facebot|whatsapp|preview|embedly|pinterest|skypeuripreview|vkshare|quora link|bingpreview|lighthouse|headlesschrome|monitor/iu;

type Rules = readonly (readonly [name: string, pattern: RegExp])[];

// In this order: later ones also match what earlier ones mean.
const systems: Rules = [
  ["Windows", /Windows/u],
  ["iOS", /iPhone|iPad|iPod/u],
  ["Android", /Android/u],
  ["ChromeOS", /CrOS/u],
  ["macOS", /Mac OS X|Macintosh/u],
  ["Linux", /Linux|X11/u],
];
const browsers: Rules = [
  ["Edge", /Edg(?:e|A|iOS)?\//u],
  ["Opera", /OPR\/|Opera/u],
  ["Samsung Internet", /SamsungBrowser\//u],
  ["Firefox", /Firefox\/|FxiOS\//u],
  ["Chrome", /Chrome\/|CriOS\//u],
  ["Safari", /Safari\//u],
];

const firstMatch = (rules: Rules, text: string): string =>
  rules.find(([, pattern]) => pattern.test(text))?.[0] ?? "";

function toKind(userAgent: string, os: string): Device["kind"] {
  if (BOT.test(userAgent)) return "bot";
  const isTablet =
    /iPad|Tablet/u.test(userAgent) || (os === "Android" && !/Mobile/u.test(userAgent));
  if (isTablet) return "Tablet";
  if (/Mobi|iPhone|iPod/u.test(userAgent)) return "Mobile";
  return os === "" ? "" : "Desktop";
}

export function readDevice(userAgent: string): Device {
  const os = firstMatch(systems, userAgent);
  return { kind: toKind(userAgent, os), os, browser: firstMatch(browsers, userAgent) };
}

/** `Mobile, iOS, Safari`; a bot is just that. */
export function describeDevice({
  kind,
  os,
  browser,
}: {
  kind: string;
  os: string;
  browser: string;
}) {
  if (kind === "bot") return kind;
  return [kind, os, browser].filter((part) => part !== "").join(", ");
}
