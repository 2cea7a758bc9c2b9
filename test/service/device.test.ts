import { describe, expect, it } from "vitest";

import { describeDevice, readDevice } from "../../src/service/scans/device.ts";

describe("readDevice", () => {
  it.each([
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      "Mobile, iOS, Safari",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/130.0 Mobile/15E148 Safari/604.1",
      "Mobile, iOS, Chrome",
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) Version/17.0 Safari/604.1",
      "Tablet, iOS, Safari",
    ],
    [
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130.0 Mobile Safari/537.36",
      "Mobile, Android, Chrome",
    ],
    [
      "Mozilla/5.0 (Linux; Android 14; SM-X910) SamsungBrowser/26.0 Chrome/122.0 Safari/537.36",
      "Tablet, Android, Samsung Internet",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0",
      "Desktop, Windows, Edge",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:132.0) Gecko/20100101 Firefox/132.0",
      "Desktop, macOS, Firefox",
    ],
    ["Mozilla/5.0 (X11; CrOS x86_64) Chrome/130.0 Safari/537.36", "Desktop, ChromeOS, Chrome"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36 OPR/114.0",
      "Desktop, Linux, Opera",
    ],
    ["", ""],
    ["node", ""],
    ["curl/8.5.0", ""],
  ])("%s", (agent, expected) => {
    expect(describeDevice(wire(agent))).toBe(expected);
  });

  it.each([
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "facebookexternalhit/1.1",
    "WhatsApp/2.23.20.0",
    "Slackbot-LinkExpanding 1.0",
    "TelegramBot (like TwitterBot)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0)",
    "Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0",
    "SkypeUriPreview",
  ])("knows %s as a bot", (agent) => {
    expect(describeDevice(wire(agent))).toBe("bot");
  });

  it("does not take a person for a bot", () => {
    expect(readDevice("Mozilla/5.0 (Linux; Android 14; CUBOT X90) Mobile Chrome/130").kind).toBe(
      "Mobile",
    );
  });
});

function wire(agent: string): { kind: string; os: string; browser: string } {
  return readDevice(agent);
}
