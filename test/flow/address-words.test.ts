/** What is wrong with a public address is named, and what to do about it. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { DeskFolder } from "../desk/desk-folder.ts";
import { runInProcess } from "./in-process.ts";

const at = new DeskFolder("address-words");
const MANIFEST = `version: 1
name: s
kind: codes
source: { range: [1, 2] }
code: { dynamic: true, qr_data: "https://a.example/{{ number }}" }
output: { dir: out, files: [svg] }
`;
const RULE = "must be an http or https address without name, password, ? or #";

test.each([
  ["https://go.example.com/abc?x=1", "leave out ?x=1"],
  ["https://go.example.com/#x", "leave out #x"],
  ["https://me:secret@go.example.com", "leave out the name and password"],
  ["go.example.com/abc", "begin it with https://"],
])("%s: %s", async (address, hint) => {
  at.write("s.yaml", MANIFEST);
  const { folder: cwd } = at;
  const planned = await runInProcess(["plan", "s.yaml", "--public-url", address], { cwd });
  expect(planned.err).toContain(`--public-url ${RULE}, got `);
  expect(planned.err).toContain(`→ ${hint}\n`);
  const set = await runInProcess(["set", "s.yaml", `api.public_url=${address}`], { cwd });
  expect(set.code).not.toBe(0);
  expect(set.err).toContain(`api.public_url ${RULE}, got `);
  expect(set.err).not.toMatch(/s\.yaml:\d/u);
  const sent = await at.desk.post("/job/s.yaml/address", { address });
  const html = await sent.text();
  expect([sent.status, html.includes(RULE), html.includes(hint)]).toEqual([400, true, true]);
  expect(html).not.toMatch(/s\.yaml:\d|line \d|secret/u);
  expect(readFileSync(`${cwd}/s.yaml`, "utf8")).toBe(MANIFEST);
});
