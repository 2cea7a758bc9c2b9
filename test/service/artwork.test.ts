import { expect, it } from "vitest";

import { resolveDesign } from "../../src/qr/draw/design.ts";
import { Artwork } from "../../src/service/designs/artwork.ts";
import type { Drawings } from "../../src/service/designs/drawing.ts";
import { makeMemoryMedia, type Media } from "../../src/service/store/media.ts";

it("a picture is kept at its second request; only a noted one is looked for; a lost one is drawn again", async () => {
  const asked: string[] = [];
  const memory = makeMemoryMedia();
  const media: Media = {
    ...memory,
    read: (name) => {
      asked.push(name);
      return memory.read(name);
    },
  };
  let drawn = 0;
  const printPng = async (): Promise<Uint8Array> => {
    drawn += 1;
    return new Uint8Array([drawn]);
  };
  const drawings = { printPng, isPlain: async () => false } as unknown as Drawings;
  const artwork = new Artwork("key", media, drawings);
  const drawing = { text: "https://example.com/", design: resolveDesign({ pattern: "Circles" }) };
  const read = (noted: string | null) =>
    artwork.read("print", { codeId: "code-1", drawing } as never, noted);
  expect(await read(null)).toEqual({ bytes: new Uint8Array([1]) });
  const { name = "", bytes } = await read(null);
  expect([[...bytes], asked]).toEqual([[2], []]);
  expect([...(await read(name)).bytes]).toEqual([2]);
  expect(asked).toEqual([name]);
  await media.remove(name);
  expect([...(await read(name)).bytes]).toEqual([3]);
  expect([...(await read("of-another-design.png")).bytes]).toEqual([4]);
});

it("of a plain code that is drawn on request no file is kept, and none is looked for", async () => {
  const untouched = new Proxy({} as Media, {
    get: (_, call) => {
      throw new Error(`no file may be touched, got ${String(call)}`);
    },
  });
  const drawings = {
    isPlain: async () => true,
    printPng: async () => new Uint8Array([7]),
  } as unknown as Drawings;
  const artwork = new Artwork("key", untouched, drawings);
  const drawing = { text: "https://example.com/", design: resolveDesign({}) };
  const read = await artwork.read("print", { codeId: "code-1", drawing } as never, "noted.png");
  expect(read).toEqual({ bytes: new Uint8Array([7]) });
});
