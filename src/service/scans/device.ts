/** What a user agent says about a device: kind, system, browser. */
import bowser from "bowser";
import { createIsbotFromList, list } from "isbot";

import { Remembered } from "../../base/flow/remembered.ts";

export interface Device {
  readonly kind: "Mobile" | "Tablet" | "Desktop" | "TV" | "bot" | "";
  readonly os: string;
  readonly browser: string;
}

/**
 * Names that don't identify a robot. isbot reports every unusual name as a robot; here only
 * crawlers and link previews count, so rules that match one of these names are left out.
 */
const SILENT = ["Phone A", "Phone/1", "Phone/()", "Mozilla/5.0 Phone", "user-agent", "QR Scanner"];
/** Programs that people try a code with: these visits count as scans. */
const TOOL =
  /^(?:node|undici|axios|got|deno|bun|curl|wget|httpie|postmanruntime|insomnia|go-http-client|aiohttp|python|java|okhttp|apache-httpclient|ruby|faraday|rest-client|php|guzzlehttp|libwww-perl|reqwest|hyper|dart)\b/iu;

let robots: ((userAgent: string) => boolean) | undefined;

/** Made at the first scan: hundreds of rules, which a job's own service never needs. */
function isRobot(userAgent: string): boolean {
  robots ??= createIsbotFromList(
    list.filter((rule) => !SILENT.some((name) => new RegExp(rule, "i").test(name))),
  );
  return robots(userAgent);
}

const kinds: Readonly<Record<string, Device["kind"]>> = {
  mobile: "Mobile",
  tablet: "Tablet",
  desktop: "Desktop",
  tv: "TV",
};

/** The names that the parser knows; any other name it copies from the user agent. */
const browsers = new Set([
  ...Object.values<string>(bowser.BROWSER_MAP),
  "Miui",
  "Opera Touch",
  "PlayStation 4",
]);

/** Empty for unknown names: made-up ones would make any number of profiles, of any length. */
const toKnown = (name = ""): string => (browsers.has(name) ? name : "");

function parse(userAgent: string): Device {
  if (userAgent.trim() === "") return { kind: "", os: "", browser: "" };
  if (!TOOL.test(userAgent) && isRobot(userAgent)) return { kind: "bot", os: "", browser: "" };
  const { platform, os, browser } = bowser.parse(userAgent);
  const system = os.name ?? "";
  // For a Chromebook without a version in its name, the parser finds no kind.
  const kind = kinds[platform.type ?? ""] ?? (system === "Chrome OS" ? "Desktop" : "");
  return { kind, os: system, browser: toKnown(browser.name) };
}

/** Parsing takes 25 µs, and the same browsers come again and again. */
const known = new Remembered<Device>(5000);

/** Crawlers and link previews are `bot`; empty = unknown. */
export function readDevice(userAgent: string): Device {
  const found = known.get(userAgent);
  if (found !== undefined) return found;
  const device = parse(userAgent);
  known.set(userAgent, device);
  return device;
}

/** `Mobile, iOS, Safari`; a bot is just that. */
export function describeDevice({ kind, os, browser }: Record<keyof Device, string>): string {
  if (kind === "bot") return kind;
  return [kind, os, browser].filter((part) => part !== "").join(", ");
}
