import { describe, expect, it } from "vitest";

import { toHumanReadable } from "../../src/gs1/human-readable.ts";

describe("toHumanReadable (docs/spec/print.md section 5)", () => {
  it.each([
    [
      "https://id.gs1.org/01/09506000134352/10/ABC%2F1/21/S7?17=271231",
      ["(01) 09506000134352", "(10) ABC/1", "(21) S7", "(17) 271231"],
    ],
    ["http://example.com/some/stem/00/095060001343000006", undefined],
    ["https://example.com/414/9506000134376", ["(414) 9506000134376"]],
    ["(01)09506000134352(10)A\\(1", ["(01) 09506000134352", "(10) A(1"]],
    ["(01)09506000134353(10)A", undefined],
    ["https://example.com/menu", undefined],
    ["hello", undefined],
    ["", undefined],
  ])("%s", (payload, lines) => {
    expect(toHumanReadable(payload, "all")).toEqual(lines);
    expect(toHumanReadable(payload, "key")).toEqual(lines?.slice(0, 1));
  });
});
