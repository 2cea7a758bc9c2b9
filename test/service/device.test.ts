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
      "Tablet, Android, Samsung Internet for Android",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36 Edg/130.0",
      "Desktop, Windows, Microsoft Edge",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:132.0) Gecko/20100101 Firefox/132.0",
      "Desktop, macOS, Firefox",
    ],
    ["Mozilla/5.0 (X11; CrOS x86_64) Chrome/130.0 Safari/537.36", "Desktop, Chrome OS, Chrome"],
    [
      "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36 OPR/114.0",
      "Desktop, Linux, Opera",
    ],
    ["", ""],
    ["node", ""],
    ["curl/8.5.0", ""],
    ["Phone A", ""],
    ["QR Scanner 3.1 (iPhone)", "Mobile, iOS"],
    ["Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) Version/6.0 TV Safari/538.1", "TV, Tizen, Tizen"],
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
    "Twitterbot/1.0",
    "Discordbot/2.0; +https://discordapp.com",
    "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (Macintosh) AppleWebKit (KHTML, like Gecko) Safari (Applebot/0.1)",
    "Snapchat/10.77.5.59 (like Safari/604.1)",
  ])("knows %s as a bot", (agent) => {
    expect(describeDevice(wire(agent))).toBe("bot");
  });

  it.each([
    "Python/3.12 aiohttp/3.9.5",
    "python-requests/2.32.3",
    "Python-urllib/3.12",
    "Java-http-client/17.0.2",
    "Apache-HttpClient/5.3 (Java/17.0.2)",
    "HTTPie/3.2.2",
    "got (https://github.com/sindresorhus/got)",
    "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
    "Ruby",
    "GuzzleHttp/7",
    "libwww-perl/6.72",
    "Mozilla/5.0 (Windows NT 10.0; en-US) WindowsPowerShell/5.1",
  ])("takes %s for somebody who tries a code", (agent) => {
    expect(readDevice(agent).kind).not.toBe("bot");
  });

  it.each([
    `${"x".repeat(900)}/1 y`,
    `${"x".repeat(450)}/1.0 (Linux; Android 15) y/2`,
    "FooOS/3 Linux CFNetwork/1220.1 Darwin/20.3.0",
    "Made up/1.0 (x)",
    "Mozilla/5.0 (X11; Weird OS) Strange/3 z",
  ])("takes no made-up name over: %#", (agent) => {
    const { os, browser } = readDevice(agent);
    expect(["", "Android Browser"]).toContain(browser);
    expect(["", "Android", "Linux"]).toContain(os);
  });

  it("knows every name that the parser has of itself", () => {
    // What is neither in the parser's own list nor taken from the sender stands in `device.ts`.
    const agents = {
      "Opera Touch": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) OPT/4.6 Mobile",
      Miui: "Mozilla/5.0 (Linux; Android 15) Chrome/130.0 XiaoMi/MiuiBrowser/14.0",
      "PlayStation 4": "Mozilla/5.0 (PlayStation 4 11.00)",
    };
    for (const [name, agent] of Object.entries(agents)) {
      expect(readDevice(agent).browser).toBe(name);
    }
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
