import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { describe, expect, it } from "vitest";

import { Senders, toAddress, toNetwork } from "../../src/service/http/senders.ts";

describe("an address has one spelling", () => {
  it.each([
    [
      "1.2.3.4",
      [
        "::ffff:1.2.3.4",
        "::FFFF:1.2.3.4",
        "::ffff:102:304",
        "0:0:0:0:0:ffff:0102:0304",
        "::ffff:1.2.3.4%eth0",
        "1.2.3.4:5678",
        "[::ffff:1.2.3.4]:443",
      ],
    ],
    [
      "2001:db8::1",
      [
        "2001:DB8::1",
        "2001:0db8:0000:0000:0000:0000:0000:0001",
        "2001:db8:0::1",
        "2001:db8::0.0.0.1",
        "2001:db8::1%eth0",
        "[2001:db8::1]",
        "[2001:db8::1]:443",
        "[2001:DB8::1%25eth0]:443",
      ],
    ],
    ["fe80::1", ["fe80::1%eth0", "FE80::0001%2"]],
    ["::1", ["0:0:0:0:0:0:0:1"]],
  ])("%s", (address, spellings) => {
    expect(spellings.map(toAddress)).toEqual(spellings.map(() => address));
    expect(toAddress(address)).toBe(address);
  });

  it.each([
    "",
    "unknown",
    "_hidden",
    "1.2.3",
    "01.2.3.4",
    "1.2.3.4:",
    "1.2.3.4:123456",
    "[1.2.3.4",
    "2001:db8::1::2",
    "example.com:80",
    `${"0".repeat(1000)}::1`,
  ])("%j is none", (text) => {
    expect(toAddress(text)).toBeUndefined();
  });
});

describe("limits count", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8:0:0:1::", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["embedded", "embedded"],
    ["", ""],
  ])("%s as %s", (ip, network) => {
    expect(toNetwork(ip)).toBe(network);
  });
});

const read = (trustProxy: true | string[], forwarded: string): string =>
  new Senders({ trustProxy }).read("::ffff:10.0.0.1", (name) =>
    name === "x-forwarded-for" ? forwarded : undefined,
  ).ip;

describe("X-Forwarded-For", () => {
  it.each([
    ["81.2.3.4:50000", "81.2.3.4"],
    ["6.6.6.6, [2001:DB8::1]:443", "2001:db8::1"],
    ["81.2.3.4, ::ffff:a00:2", "81.2.3.4"],
    ["81.2.3.4, [::ffff:10.0.0.2]:80 ,10.0.0.3", "81.2.3.4"],
  ])("%s: from %s", (forwarded, ip) => {
    expect(read(["10.0.0.0/8"], forwarded)).toBe(ip);
  });

  it.each([
    ["6.6.6.6, made up", "10.0.0.1"],
    ["6.6.6.6, made up, 10.0.0.2", "10.0.0.2"],
    [",,", "10.0.0.1"],
    [`${"x".repeat(9000)}, 10.0.0.3`, "10.0.0.3"],
  ])("garbage is nobody: the last proxy that is known stands for it (%#)", (forwarded, ip) => {
    expect(read(["10.0.0.0/8"], forwarded)).toBe(ip);
  });

  it("behind exactly one proxy is its last address, or the proxy", () => {
    expect(read(true, "6.6.6.6, 81.2.3.4:1")).toBe("81.2.3.4");
    expect(read(true, `${"6.6.6.6, ".repeat(500)}81.2.3.4`)).toBe("81.2.3.4");
    expect(read(true, "81.2.3.4, unknown")).toBe("10.0.0.1");
  });
});

/** Memory of this thread after garbage collection. */
function measureHeap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}

/** 16 kB each, another one every time. */
const longHeader = (n: number) => (name: string) =>
  name === "x-forwarded-for"
    ? `${"6.6.6.6, ".repeat(1700)}2001:db8::${n.toString(16)}`
    : `${n} ${"x".repeat(16_000)}`;

it("keeps no more of a long header than it uses", () => {
  const senders = new Senders({ trustProxy: true }, ["x-city"]);
  const before = measureHeap();
  const kept = Array.from({ length: 3000 }, (_, n) => senders.read("10.0.0.1", longHeader(n)));
  const grown = measureHeap() - before;
  expect(kept[7]).toMatchObject({ ip: "2001:db8::7" });
  expect(kept[7]?.userAgent).toHaveLength(1000);
  // 16 kB of each of three headers would be 140 MB.
  expect(grown).toBeLessThan(20_000_000);
});
