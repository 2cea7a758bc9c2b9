/** docs/designs.md says of every frame what the table of the code says, and shows every picture. */
import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { frameNames, frames } from "../../src/qr/draw/design.ts";
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
