import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { BlockList, type AddressInfo } from "node:net";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import {
  fetchBytes,
  isPrivateAddress,
  makeGuardedLookup,
  postBytes,
} from "../../src/service/http/guarded-fetch.ts";

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
    else if (request.url === "/endless") {
      const write = (): void => {
        while (response.write("x".repeat(65_536)));
      };
      response.on("drain", write);
      write();
    } else if (request.url === "/broken") {
      response.writeHead(200, { "content-length": "100" });
      response.write("half of it", () => request.socket.destroy());
    } else if (request.url === "/slow") {
      response.writeHead(200, { "content-length": "100" });
      response.write("half of it");
    } else if (request.url === "/silent") {
      // Never answered.
    } else if (request.url === "/inside") {
      response.writeHead(302, { location: url.replace("127.0.0.1", "127.0.0.2") }).end();
    } else if (request.url === "/once") {
      response.end("ok");
      // Gone before the connection is used again.
      response.on("finish", () => request.socket.destroy());
    } else response.writeHead(404).end();
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
    "fec0::1",
    "::7f00:1",
    "::ffff:0:7f00:1",
    "2001::1",
    "3fff::1",
    "4000::1",
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

  it.each([
    ["/broken", "the connection broke off after 10 bytes"],
    ["/slow", "no whole answer came within 0.2 s"],
    ["/silent", "no whole answer came within 0.2 s"],
  ])("says what happened to %s", async (path, says) => {
    const timeoutMs = 200;
    await expect(fetchBytes(`${url}${path}`, { ...open, timeoutMs })).rejects.toThrow(says);
  });

  it("says in plain words that nobody answers, or that a host has no address", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const host = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    await once(closed, "close");
    await expect(fetchBytes(`http://${host}/`, open)).rejects.toThrow(`nobody answers at ${host}`);
    await expect(fetchBytes("http://nowhere.invalid/", open)).rejects.toThrow(
      /^(?:the host nowhere\.invalid has no address|the address of nowhere\.invalid can't be looked up right now)$/u,
    );
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

describe("what is named public and leads inside", () => {
  it("is refused at every hop of a redirect", async () => {
    // To the guard, 127.0.0.1 is the one public address now.
    const check = vi.spyOn(BlockList.prototype, "check").mockImplementation((address) => {
      return address !== "127.0.0.1";
    });
    try {
      expect(Buffer.from(await fetchBytes(`${url}/image`, guarded)).toString()).toBe("image");
      await expect(fetchBytes(`${url}/inside`, guarded)).rejects.toThrow("must be public");
    } finally {
      check.mockRestore();
    }
  });

  it("is refused when it leads elsewhere a moment later (DNS rebinding)", async () => {
    const answers = [["93.184.215.14"], ["127.0.0.1"], ["93.184.215.14", "10.0.0.1"], []];
    const lookup = makeGuardedLookup((_, __, callback) => {
      const found = (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
      callback(null, found);
    });
    const connectTo = (all: boolean): Promise<unknown> =>
      new Promise((resolve, reject) => {
        lookup("rebind.example", { all }, (error, address) => {
          if (error === null) resolve(address);
          else reject(error);
        });
      });
    // What is connected to is what was checked: the name is not asked again.
    expect(await connectTo(false)).toBe("93.184.215.14");
    expect(answers).toHaveLength(3);
    await expect(connectTo(false)).rejects.toThrow("must be public");
    await expect(connectTo(true)).rejects.toThrow("must be public");
    await expect(connectTo(true)).rejects.toThrow("must be public");
  });
});

describe("postBytes", () => {
  const body = Buffer.from("{}");
  const posted = { body, headers: { "content-type": "application/json" } };

  it("answers the status and follows no redirect", async () => {
    const before = hits;
    expect(await postBytes(`${url}/moved`, { ...posted, allowPrivate: true })).toBe(302);
    expect(hits - before).toBe(1);
    expect(await postBytes(`${url}/image`, { ...posted, allowPrivate: true })).toBe(200);
  });

  it("never connects to a private address unless that is allowed", async () => {
    const before = hits;
    const { port } = new URL(url);
    for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]"]) {
      await expect(
        postBytes(`http://${host}:${port}/image`, { ...posted, allowPrivate: false }),
      ).rejects.toThrow("must be public");
    }
    expect(hits).toBe(before);
  });

  it("reads no answer to its end that has none", async () => {
    expect(await postBytes(`${url}/endless`, { ...posted, allowPrivate: true })).toBe(200);
    await expect(fetchBytes(`${url}/endless`, open)).rejects.toThrow("at most 1000 bytes");
  });

  it("sends again when a kept connection is gone", async () => {
    for (let n = 0; n < 5; n += 1) {
      expect(await postBytes(`${url}/once`, { ...posted, allowPrivate: true })).toBe(200);
    }
  });

  it("speaks http and https only", async () => {
    await expect(
      postBytes("ftp://example.com/", { ...posted, allowPrivate: true }),
    ).rejects.toThrow("must be http or https");
  });
});
