import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  exports: Record<string, unknown>;
};

/** A package finds itself by its name: `require("makeready/qr")` inside its own folder. */
const PROGRAM = `
const { openQrEngine, labelFonts } = require("makeready/qr");
const doors = Object.fromEntries(
  JSON.parse(process.argv[1]).map((door) => [door, Object.keys(require(door)).length > 0]),
);
const { readFileSync } = require("node:fs");
const { resolveDesign } = require("makeready/qr");
openQrEngine({ fonts: labelFonts.map((font) => readFileSync(font)) }).then((engine) => {
  const svg = engine.svg("https://example.com", resolveDesign({ frame: "card", text: "SCAN ME" }));
  console.log(JSON.stringify({ doors, isDrawn: svg.startsWith("<svg") }));
  engine.close();
});
`;

it("every door of the package opens by require(), and labels are drawn behind it", async () => {
  const doors = Object.keys(manifest.exports).map((door) => `makeready${door.slice(1)}`);
  const argv = ["--input-type=commonjs", "-e", PROGRAM, JSON.stringify(doors)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root });
  expect(JSON.parse(stdout)).toEqual({
    doors: Object.fromEntries(doors.map((door) => [door, true])),
    isDrawn: true,
  });
});
