/** docs/designs.md says of every frame what the table of the code says, and shows every picture. */
import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import {
  eyeStyles,
  frameNames,
  frames,
  patterns,
  resolveDesign,
} from "../../src/qr/draw/design.ts";
import { openTestEngine } from "./fonts.ts";
import { readTable } from "../arch/architecture.ts";

const page = readFileSync(new URL("../../docs/designs.md", import.meta.url), "utf8");
const pictures = readdirSync(new URL("../../docs/images/designs/", import.meta.url));

const say = (is: boolean): string => (is ? "yes" : "no");

describe("docs/designs.md", () => {
  test("has the frame table of the code", () => {
    expect(readTable(page, "Frames")).toEqual(
      frameNames.map((name) => {
        const { text, secondText, border, maxText } = frames[name];
        const longest = maxText === 0 ? "-" : String(maxText);
        return [`\`${name}\``, say(text), say(secondText), say(border), longest];
      }),
    );
  });

  test("has a grade and a least size of every pattern, eye style and frame", () => {
    const rows = page.split("\n").flatMap((line): [string, string][] => {
      const [, name, grade] = /^\| `([^`]+)` \| (\d\.\d) \|.* mm \|/u.exec(line) ?? [];
      return name === undefined || grade === undefined ? [] : [[name, grade]];
    });
    expect(rows.map(([name]) => name)).toEqual([...patterns, ...eyeStyles, ...frameNames]);
    for (const [, grade] of rows) expect(Number(grade)).toBeGreaterThanOrEqual(3);
  });

  test("has the least widths of the code", async () => {
    const engine = await openTestEngine();
    for (const frame of frameNames) {
      const { codeMm } = engine.leastSize("https://example.com/p/42", resolveDesign({ frame }));
      expect(page).toMatch(
        new RegExp(`\\| \`${frame}\` \\| \\d\\.\\d \\| ${codeMm.toFixed(1)} mm`, "u"),
      );
    }
    engine.close();
  });

  test("shows every picture, and none that isn't there", () => {
    const shown = [...page.matchAll(/!\[[^\]]+\]\(images\/designs\/([^)]+)\)/gu)].map(
      ([, name]) => name,
    );
    expect(new Set(shown)).toEqual(new Set(pictures));
  });

  test("pictures are small", () => {
    for (const name of pictures) {
      const file = readFileSync(new URL(`../../docs/images/designs/${name}`, import.meta.url));
      expect(file.length).toBeLessThan(120_000);
    }
  });
});
