/** EPCIS documents keep to the rules of its schema, and the rules see what does not. */
import { mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { writeEpcis } from "../../src/pack/epcis.ts";
import { findEpcisFaults } from "./epcis-rules.ts";

interface Document {
  epcisBody: { eventList: Record<string, unknown>[] };
}

async function write(): Promise<Document> {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), "epcis-")), "epcis.json");
  const one = "https://id.gs1.org/01/09506000134352/21/ABC";
  const many = [{ epcClass: "https://id.gs1.org/01/09506000134352", quantity: 24 }];
  await writeEpcis(
    file,
    [
      { does: "commissioning", atMs: 1_767_225_600_000, epcs: [one], quantities: many },
      { does: "commissioning", atMs: 1_767_225_600_000, epcs: [], quantities: many },
      { does: "decommissioning", atMs: 1_767_225_600_001, epcs: [one], quantities: [] },
    ],
    1_767_225_700_000,
  );
  return JSON.parse(readFileSync(file, "utf8")) as Document;
}

describe("an EPCIS document", () => {
  it("keeps to the schema, for things and for classes of them", async () => {
    const document = await write();
    expect(findEpcisFaults(document)).toEqual([]);
    expect(document.epcisBody.eventList).toHaveLength(3);
  });

  it.each<[string, (event: Record<string, unknown>) => void]>([
    ["an unknown action", (event) => (event["action"] = "PUT")],
    ["no time", (event) => delete event["eventTime"]],
    ["a word of nobody", (event) => (event["who"] = "anna")],
    [
      "a word for a number",
      (event) => (event["quantityList"] = [{ epcClass: "a:b", quantity: "3" }]),
    ],
    ["a name that is no URI", (event) => (event["epcList"] = ["ABC 1"])],
  ])("is refused with %s", async (_what, spoil) => {
    const document = await write();
    spoil(document.epcisBody.eventList[0] ?? {});
    expect(findEpcisFaults(document)).not.toEqual([]);
  });
});
