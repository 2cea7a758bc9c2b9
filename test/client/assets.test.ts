import { describe, expect, it } from "vitest";

import { fakeClock, type FakeClock } from "../help/fake-clock.ts";
import { AppError } from "../../src/base/errors.ts";
import type { AssetOptions } from "../../src/client/assets.ts";
import { openClient } from "../../src/client/client.ts";
import { TransportFailure, type WireRequest } from "../../src/client/wire.ts";
import {
  scriptedTransport,
  TOKEN,
  type FakeAnswer,
  type ScriptedTransport,
  type Step,
} from "./wire-fakes.ts";

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const png: FakeAnswer = { headers: { "content-type": "image/png" }, body: PNG };
const to = (location: string, status = 302): FakeAnswer => ({
  status,
  headers: { location },
  body: "",
});

interface Scene {
  readonly clock: FakeClock;
  readonly transport: ScriptedTransport;
  readonly readsUsed: () => number;
  fetch(url: string, more?: Partial<AssetOptions>): Promise<Uint8Array>;
}

function makeScene(...steps: readonly Step[]): Scene {
  const clock = fakeClock();
  const transport = scriptedTransport(...steps);
  const client = openClient({
    baseUrl: "https://api.test/api/v2",
    token: TOKEN,
    workspace: "w",
    transport,
    clock,
    random: () => 1,
  });
  return {
    clock,
    transport,
    readsUsed: () => client.stats().read.sent,
    fetch: (url, more) => client.fetchAsset(url, { expect: "image/png", ...more }),
  };
}

const hadToken = ({ headers }: WireRequest): boolean =>
  Object.values(headers).some((value) => value.includes(TOKEN));

/** Every address with whether the token went there. */
const visited = ({ transport }: Scene): (readonly [string, boolean])[] =>
  transport.requests.map((request) => [request.url, hadToken(request)] as const);

async function outcome(scene: Scene, fetching: Promise<Uint8Array>): Promise<unknown> {
  const settled = fetching.catch((error: unknown) => error);
  await scene.clock.advance(3_600_000);
  return settled;
}

describe("fetchAsset and the token", () => {
  it("stays at home: another origin never sees it, and costs no budget", async () => {
    const scene = makeScene(png);
    await expect(scene.fetch("https://files.test/a.png?sig=1")).resolves.toEqual(PNG);
    expect(visited(scene)).toEqual([["https://files.test/a.png?sig=1", false]]);
    expect(scene.readsUsed()).toBe(0);
  });

  it.each([401, 403])(
    "stays at home even when another origin asks for it with %i",
    async (status) => {
      const scene = makeScene({ status }, png);
      expect(await outcome(scene, scene.fetch("https://files.test/a.png"))).toMatchObject({
        code: "answer-unusable",
      });
      expect(visited(scene)).toEqual([["https://files.test/a.png", false]]);
    },
  );

  it("takes another port or scheme for another origin", async () => {
    const scene = makeScene(png);
    await scene.fetch("https://api.test:8443/api/v2/a.png");
    await scene.fetch("http://api.test/api/v2/a.png");
    await scene.fetch("https://api.test.evil.test/api/v2/a.png");
    expect(visited(scene).map(([, token]) => token)).toEqual([false, false, false]);
  });

  it("goes along under the API root, paced as a read", async () => {
    const scene = makeScene(png);
    await scene.fetch("https://api.test/api/v2/link/l1/qr/?format=png");
    expect(visited(scene)).toEqual([["https://api.test/api/v2/link/l1/qr/?format=png", true]]);
    expect(scene.readsUsed()).toBe(1);
  });

  it("goes elsewhere on the same origin only when asked for", async () => {
    const open = makeScene(png);
    await open.fetch("https://api.test/media/a.png");
    expect(visited(open)).toEqual([["https://api.test/media/a.png", false]]);
    const closed = makeScene({ status: 401 }, png);
    await expect(closed.fetch("/media/a.png")).resolves.toEqual(PNG);
    expect(visited(closed)).toEqual([
      ["https://api.test/media/a.png", false],
      ["https://api.test/media/a.png", true],
    ]);
    expect(closed.readsUsed()).toBe(0);
  });

  it("does not take a path that only begins alike for the API", async () => {
    const scene = makeScene(png);
    await scene.fetch("https://api.test/api/v2evil/a.png");
    await scene.fetch("https://api.test/api/v2/../evil/a.png");
    expect(visited(scene).map(([, token]) => token)).toEqual([false, false]);
  });

  it("is dropped on a redirect to another origin, and not taken up again on the way back", async () => {
    const scene = makeScene(to("https://cdn.test/x"), to("https://api.test/api/v2/secret/"), png);
    await scene.fetch("https://api.test/api/v2/link/l1/qr/");
    expect(visited(scene)).toEqual([
      ["https://api.test/api/v2/link/l1/qr/", true],
      ["https://cdn.test/x", false],
      ["https://api.test/api/v2/secret/", false],
    ]);
  });
});

describe("fetchAsset", () => {
  it("follows up to five redirects, relative ones too", async () => {
    const five = makeScene(to("/b", 301), to("c", 303), to("d", 307), to("e", 308), to("f"), png);
    await expect(five.fetch("https://files.test/a")).resolves.toEqual(PNG);
    expect(five.transport.requests.at(-1)?.url).toBe("https://files.test/f");
    const loop = makeScene(to("https://files.test/a"));
    expect(await outcome(loop, loop.fetch("https://files.test/a"))).toMatchObject({
      code: "answer-unusable",
      message: "https://files.test/a must lead to a file, got more than 5 redirects",
    });
    expect(loop.transport.requests).toHaveLength(6);
  });

  it.each(["file:///etc/passwd", "data:image/png;base64,AA==", "javascript:1", "http://"])(
    "does not open %s, neither at first nor by redirect",
    async (url) => {
      const direct = makeScene(png);
      await expect(direct.fetch(url)).rejects.toMatchObject({ code: "answer-unusable" });
      expect(direct.transport.requests).toEqual([]);
      const redirected = makeScene(to(url), png);
      await expect(redirected.fetch("https://files.test/a")).rejects.toMatchObject({
        code: "answer-unusable",
      });
    },
  );

  it.each<readonly [string, FakeAnswer, boolean]>([
    ["image/png", png, true],
    [
      "image/png with a parameter, in capitals",
      { ...png, headers: { "content-type": "IMAGE/PNG; x=1" } },
      true,
    ],
    ["no type but the bytes of a PNG", { ...png, headers: {} }, true],
    ["a vague type", { ...png, headers: { "content-type": "application/octet-stream" } }, true],
    ["no type and other bytes", { body: "hello" }, false],
    [
      "an error page with status 200",
      { headers: { "content-type": "text/html" }, body: "<svg" },
      false,
    ],
    ["the other image", { headers: { "content-type": "image/svg+xml" }, body: "<svg/>" }, false],
  ])("checks the type: %s", async (_, answer, isGood) => {
    const scene = makeScene(answer);
    const result = await outcome(scene, scene.fetch("https://files.test/a?sig=secret"));
    const code = result instanceof AppError ? result.code : "none";
    expect(code).toBe(isGood ? "none" : "answer-unusable");
    expect(String(result)).not.toContain("secret");
  });

  it("reads an SVG", async () => {
    const body = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    for (const type of ["image/svg+xml; charset=utf-8", "binary/octet-stream"]) {
      const scene = makeScene({ headers: { "content-type": type }, body });
      const bytes = await scene.fetch("https://files.test/a.svg", { expect: "image/svg+xml" });
      expect(new TextDecoder().decode(bytes)).toBe(body);
    }
  });

  it("asks for no more bytes than allowed, and does not try again", async () => {
    const scene = makeScene(new TransportFailure("too-long", true));
    const fetching = scene.fetch("https://files.test/a.png", { maxBytes: 1_000 });
    expect(await outcome(scene, fetching)).toMatchObject({ code: "answer-unusable" });
    expect(scene.transport.requests.map(({ maxBytes }) => maxBytes)).toEqual([1_000]);
  });

  it.each<Step>([
    new TransportFailure("reset", true),
    new TransportFailure("refused", false),
    { status: 503 },
    { status: 404 },
    { status: 429, headers: { "retry-after": "3" } },
  ])("tries again after what may pass (%#)", async (step) => {
    const scene = makeScene(step, step, png);
    expect(await outcome(scene, scene.fetch("https://files.test/a.png"))).toEqual(PNG);
    expect(scene.transport.requests).toHaveLength(3);
  });

  it("gives up after five tries, with the address but not its query", async () => {
    const scene = makeScene({ status: 503 });
    expect(await outcome(scene, scene.fetch("https://files.test/a.png?sig=1"))).toMatchObject({
      code: "server-unavailable",
      message: "GET https://files.test/a.png must be answered with the file, got 503",
    });
    expect(scene.transport.requests).toHaveLength(5);
    const gone = makeScene({ status: 404 });
    expect(await outcome(gone, gone.fetch("https://files.test/a.png"))).toMatchObject({
      code: "not-found",
    });
  });

  it("does not wait for a host that asks for hours", async () => {
    const scene = makeScene({ status: 503, headers: { "retry-after": "86400" } });
    await expect(scene.fetch("https://files.test/a.png")).rejects.toMatchObject({
      code: "server-unavailable",
    });
  });

  it("does not hold back creates when the host of the files is away", async () => {
    const clock = fakeClock();
    const away = new TransportFailure("connect-timeout", false);
    const transport = scriptedTransport((request: WireRequest) => {
      if (request.url.startsWith("https://files.test/")) throw away;
      return { body: { id: "c", qr_type: "Link", dynamic: true, created: "" } };
    });
    const client = openClient({
      baseUrl: "https://api.test/api/v2",
      token: TOKEN,
      workspace: "w",
      limits: "none",
      transport,
      clock,
      random: () => 1,
    });
    const fetching = Array.from({ length: 20 }, async () =>
      client.fetchAsset("https://files.test/a.png", { expect: "image/png" }).catch(() => "lost"),
    );
    await clock.advance(0);
    const body = { workspace: "w", qr_data: "https://a.test/" };
    await expect(client.createCode(body, { idempotencyKey: "k" })).resolves.toMatchObject({
      kind: "done",
    });
    await clock.advance(3_600_000);
    expect(await Promise.all(fetching)).toEqual(Array.from({ length: 20 }, () => "lost"));
  });
});

const away: Step = () => {
  throw new TransportFailure("refused", false);
};

const unknown = (request: WireRequest): FakeAnswer => {
  if (request.url.startsWith("https://go.test/")) throw new TransportFailure("dns", false);
  return request.url.endsWith("/media/a.png") ? png : { status: 404 };
};

describe("a host of files whose name is unknown here", () => {
  it("is that of the API under its public name: files come from where the API was reached", async () => {
    const scene = makeScene(unknown);
    expect(await scene.fetch("https://go.test/media/a.png")).toEqual(PNG);
    expect(visited(scene)).toEqual([
      ["https://go.test/media/a.png", false],
      ["https://api.test/media/a.png", false],
    ]);
    expect(await scene.fetch("https://go.test/media/a.png")).toEqual(PNG);
  });

  it("is also that of the API where a redirect of it leads there", async () => {
    const scene = makeScene((request) =>
      request.url.endsWith("/qr/") ? to("https://go.test/media/a.png") : unknown(request),
    );
    const fetching = scene.fetch("https://api.test/api/v2/link/1/qr/");
    expect(await outcome(scene, fetching)).toEqual(PNG);
    expect(visited(scene)).toEqual([
      ["https://api.test/api/v2/link/1/qr/", true],
      ["https://go.test/media/a.png", false],
      ["https://api.test/media/a.png", false],
    ]);
  });

  it("without such a file there is reported, with what to do", async () => {
    const scene = makeScene(unknown);
    expect(await outcome(scene, scene.fetch("https://go.test/other.png"))).toMatchObject({
      code: "server-unavailable",
      message:
        "GET https://go.test/other.png must be answered with the file, got no answer: the host name is unknown",
      hint: "the API was reached at https://api.test, but names its files at https://go.test: let that address be reached from this computer, then run again; only the files are fetched",
    });
  });
});

describe("a host of files whose name is unknown here, and the API's own host", () => {
  const named = "GET https://go.test/a.png must be answered with the file, got no answer";
  const up =
    "see whether the server at https://api.test is up, then run again; only the files are fetched";

  it.each([
    ["breaks off", "reset", "gave none either: the connection broke"],
    ["is away", 503, "answered 503"],
  ] as const)("are both named where that %s", async (_what, how, says) => {
    const scene = makeScene((request) => {
      if (request.url.startsWith("https://go.test/")) throw new TransportFailure("dns", false);
      if (how === "reset") throw new TransportFailure(how, false);
      return { status: how };
    });
    expect(await outcome(scene, scene.fetch("https://go.test/a.png"))).toMatchObject({
      code: "server-unavailable",
      message: `${named}: the host name is unknown; https://api.test, where the API was reached, ${says}`,
      hint: up,
    });
  });

  it("are both named by files that fail at once", async () => {
    const scene = makeScene((request) => {
      if (request.url.startsWith("https://go.test/")) throw new TransportFailure("dns", false);
      throw new TransportFailure("reset", false);
    });
    const failures = Array.from({ length: 12 }, async (_, n) =>
      scene.fetch(`https://go.test/${n}.png`).catch((error: unknown) => error),
    );
    await scene.clock.advance(300_000);
    await Promise.all(failures);
    const later = [1, 2].map(async (n) =>
      scene.fetch(`https://go.test/later-${n}.png`).catch((error: unknown) => error),
    );
    await scene.clock.advance(300_000);
    expect((await Promise.all(later)).at(-1)).toMatchObject({
      code: "server-unavailable",
      message: expect.stringContaining("go.test or api.test must give out files") as string,
    });
  });

  it("is asked first once it has given such a file", async () => {
    const scene = makeScene(unknown);
    await scene.fetch("https://go.test/media/a.png");
    await scene.fetch("https://go.test/media/a.png");
    expect(visited(scene).slice(2)).toEqual([["https://api.test/media/a.png", false]]);
  });
});

describe("files at the API's own host while it is away", () => {
  const PATIENT_MS = 300_000;

  it.each([
    ["by its own address", "https://api.test/media/a.png"],
    ["by a public name that is unknown here", "https://go.test/media/a.png"],
    ["under the API", "https://api.test/api/v2/media/a.png"],
  ])("wait with the patience for the API: %s", async (_how, address) => {
    let isAway = true;
    const scene = makeScene((request: WireRequest) => {
      if (request.url.startsWith("https://go.test/")) throw new TransportFailure("dns", false);
      if (isAway) throw new TransportFailure("refused", false);
      return png;
    });
    const fetching = Promise.all(
      Array.from({ length: 20 }, () => scene.fetch(address).catch((error: unknown) => error)),
    );
    await scene.clock.advance(PATIENT_MS);
    isAway = false;
    await scene.clock.advance(PATIENT_MS);
    expect(await fetching).toEqual(Array.from({ length: 20 }, () => PNG));
  });

  it("are given up when the patience is used up, with the server's name for it", async () => {
    const scene = makeScene(away);
    const lost = await outcome(scene, scene.fetch("https://api.test/media/a.png"));
    expect(lost).toMatchObject({
      code: "server-unavailable",
      message: expect.stringContaining("the server must answer, got"),
    });
  });
});

describe("a host of files that is away", () => {
  it("is not waited for file by file: later files fail at once, one is tried now and then", async () => {
    const scene = makeScene(...Array.from({ length: 60 }, () => away));
    const failures = Array.from({ length: 12 }, (_, n) =>
      scene.fetch(`https://files.test/${n}.png`).catch((error: unknown) => error),
    );
    await scene.clock.advance(300_000);
    await Promise.all(failures);
    const tried = scene.transport.requests.length;
    // One tries the host, the others fail at once.
    const later = Array.from({ length: 1_000 }, (_, n) =>
      scene.fetch(`https://files.test/later-${n}.png`).catch((error: unknown) => error),
    );
    const errors = await Promise.all(later);
    expect(scene.transport.requests.length - tried).toBeLessThanOrEqual(2);
    expect(errors.at(-1)).toMatchObject({
      code: "server-unavailable",
      message: expect.stringContaining("files.test must give out files") as string,
    });
  });

  it("gives out files again as soon as one of them comes", async () => {
    const scene = makeScene(...Array.from({ length: 25 }, () => away), png, png);
    const failures = Array.from({ length: 5 }, (_, n) =>
      scene.fetch(`https://files.test/${n}.png`).catch((error: unknown) => error),
    );
    await scene.clock.advance(300_000);
    await Promise.all(failures);
    expect(scene.transport.requests).toHaveLength(25);
    await scene.clock.advance(31_000);
    expect(await scene.fetch("https://files.test/a.png")).toEqual(PNG);
    expect(await scene.fetch("https://files.test/b.png")).toEqual(PNG);
  });

  it("does not hold back the files of other hosts", async () => {
    const scene = makeScene((request) => {
      if (request.url.startsWith("https://files.test/")) {
        throw new TransportFailure("refused", false);
      }
      return png;
    });
    const failures = Array.from({ length: 12 }, (_, n) =>
      scene.fetch(`https://files.test/${n}.png`).catch((error: unknown) => error),
    );
    await scene.clock.advance(300_000);
    await Promise.all(failures);
    expect(await scene.fetch("https://other.test/x.png")).toEqual(PNG);
  });
});
