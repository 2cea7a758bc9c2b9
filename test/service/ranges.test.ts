import { expect, it } from "vitest";

import { readRange } from "../../src/service/http/ranges.ts";

import { makeService } from "./make-service.ts";

it.each([
  [null, "all"],
  ["", "all"],
  ["bytes=-", "all"],
  ["bytes=0-1,3-4", "all"],
  ["lines=0-1", "all"],
  ["bytes=5-2", "all"],
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=2-", { first: 2, last: 9 }],
  ["bytes=2-99", { first: 2, last: 9 }],
  ["bytes=-3", { first: 7, last: 9 }],
  ["bytes=-99", { first: 0, last: 9 }],
  ["bytes=-0", "none"],
  ["bytes=10-", "none"],
  ["bytes=10-12", "none"],
])("range %s of ten bytes", (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected);
});

it("has no range in an empty file", () => {
  expect([readRange("bytes=0-", 0), readRange("bytes=-5", 0)]).toEqual(["none", "none"]);
});

it("serves a hosted PDF in pieces", async () => {
  const service = await makeService();
  const { body } = await service.send("POST", "/pdf/create/", {
    workspace: service.workspace,
    pdf_base64: Buffer.from("%PDF-1.7 hello 1 0 obj endobj startxref").toString("base64"),
    filename: "a.pdf",
  });
  const get = (range: string) =>
    service.fetch(new Request(body.pdf_file_url, { headers: { range } }));
  const part = await get("bytes=0-4");
  expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
    206,
    "bytes 0-4/39",
    "%PDF-",
  ]);
  expect((await get("bytes=99-")).status).toBe(416);
  const whole = await service.fetch(new Request(body.pdf_file_url));
  expect([whole.status, whole.headers.get("accept-ranges")]).toEqual([200, "bytes"]);
  const head = await service.fetch(new Request(body.pdf_file_url, { method: "HEAD" }));
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
    200,
    "39",
    "",
  ]);
  await service.close();
});
