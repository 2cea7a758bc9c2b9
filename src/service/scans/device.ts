/** What a user agent says about itself, as far as people care: kind, system, browser. */
import bowser from "bowser";
import { createIsbotFromList, list } from "isbot";

import { Remembered } from "../../base/remembered.ts";

export interface Device {
  readonly kind: "Mobile" | "Tablet" | "Desktop" | "TV" | "bot" | "";
  readonly os: string;
  readonly browser: string;
}

/**
 * Names that say nothing about a robot. isbot takes every unusual name for one; here only crawlers
 * and the fetchers of link previews are, so rules that match one of these are left out.
 */
const SILENT = ["Phone A", "Phone/1", "Phone/()", "Mozilla/5.0 Phone", "user-agent", "QR Scanner"];
/** Programs that people try a code with: their visits are their own. */
const TOOL =
  /^(?:node|undici|axios|got|deno|bun|curl|wget|httpie|postmanruntime|insomnia|go-http-client|aiohttp|python|java|okhttp|apache-httpclient|ruby|faraday|rest-client|php|guzzlehttp|libwww-perl|reqwest|hyper|dart)\b/iu;

let robots: ((userAgent: string) => boolean) | undefined;

/** Made by the first scan: hundreds of rules, which a job's own service never asks. */
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

/** The names that the parser has itself; of anything else it takes what the sender wrote for a name. */
const browsers = new Set([
  ...Object.values<string>(bowser.BROWSER_MAP),
  "Miui",
  "Opera Touch",
  "PlayStation 4",
]);

/** Empty for a name that anybody could have made up: profiles would be as many and as long as they like. */
const toKnown = (name = ""): string => (browsers.has(name) ? name : "");

function parse(userAgent: string): Device {
  if (userAgent.trim() === "") return { kind: "", os: "", browser: "" };
  if (!TOOL.test(userAgent) && isRobot(userAgent)) return { kind: "bot", os: "", browser: "" };
  const { platform, os, browser } = bowser.parse(userAgent);
  const system = os.name ?? "";
  // A Chromebook without a version in its name has no kind.
  const kind = kinds[platform.type ?? ""] ?? (system === "Chrome OS" ? "Desktop" : "");
  return { kind, os: system, browser: toKnown(browser.name) };
}

/** Parsing takes 25 µs, and the same browsers come again and again. */
const known = new Remembered<Device>(5000);

/** Crawlers and link previews are `bot`; empty = not known. */
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
