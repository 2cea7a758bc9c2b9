import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { fetchBytes, isPrivateAddress } from "../../src/service/guarded-fetch.ts";

let server: Server;
let url: string;
let hits = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    hits += 1;
    if (request.url === "/image") response.end("image");
    else if (request.url === "/big") response.end("x".repeat(2000));
    else if (request.url === "/moved") response.writeHead(302, { location: "/image" }).end();
    else if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url === "/file") response.writeHead(302, { location: "file:///x" }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const open = { maxBytes: 1000, allowPrivate: true };
const guarded = { maxBytes: 1000, allowPrivate: false };

describe("isPrivateAddress", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "not an address",
    "",
  ])("refuses %s", (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each(["93.184.215.14", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:2800:21f::1"])(
    "lets %s through",
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );
});

describe("fetchBytes", () => {
  it("gets bytes, over redirects too", async () => {
    for (const path of ["/image", "/moved"]) {
      expect(Buffer.from(await fetchBytes(url + path, open)).toString()).toBe("image");
    }
  });

  it.each([
    ["/big", "at most 1000 bytes"],
    ["/loop", "redirect at most 3 times"],
    ["/nothing", "answered 404"],
    ["/file", "must be http or https"],
  ])("refuses %s: %s", async (path, message) => {
    await expect(fetchBytes(url + path, open)).rejects.toThrow(message);
  });

  it("never connects to a private address, however it is written", async () => {
    const { port } = new URL(url);
    const before = hits;
    for (const host of [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
    ]) {
      await expect(fetchBytes(`http://${host}:${port}/image`, guarded)).rejects.toThrow(
        "must be public",
      );
    }
    expect(hits).toBe(before);
  });
});
