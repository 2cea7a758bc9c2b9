/** Drawings are read back like every other picture (docs/spec/jobs.md section 2, `verify`). */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { resolveDesign } from "../../src/qr/draw/design.ts";
import { renderSvg } from "../../src/qr/draw/svg.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote, type Remote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const open: Remote[] = [];

afterEach(async () => {
  for (const remote of open.splice(0)) await remote.close();
});

const MANIFEST = `version: 1
name: drawings
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}" }
output: { dir: ../out, files: [svg], file_name: "{{ n }}" }
`;
const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n";
const other = renderSvg("https://evil.example/", resolveDesign({ sizePx: 300 }));
const empty = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>';

/** A server whose answers bring `svg` with every code; its files are right. */
async function openLying(files: JobFolder, svg: string): Promise<Remote> {
  const remote = await openRemote(files.data, "https://codes.example");
  open.push(remote);
  const { transport } = remote;
  return {
    ...remote,
    transport: {
      ...transport,
      send: async (request) => {
        const answer = await transport.send(request);
        const text = new TextDecoder().decode(answer.body);
        if (!text.startsWith("{")) return answer;
        const fields = JSON.parse(text) as Record<string, unknown>;
        if (typeof fields["svg"] !== "string") return answer;
        return { ...answer, body: new TextEncoder().encode(JSON.stringify({ ...fields, svg })) };
      },
    },
  };
}

describe("a drawing that came with its code", () => {
  it.each([
    ["says another address", other, 'got \\"https://evil.example/\\"'],
    ["shows nothing", empty, "picture must show a code, got one colour"],
  ])("and %s fails the run; the next one fetches the file", async (_, svg, says) => {
    const files = makeJobFolder(ROWS, MANIFEST);
    const remote = await openLying(files, svg);
    const run = await runJson(["run", files.manifest], remote);
    expect(run.code).toBe(3);
    expect(run.out).toContain(says);
    expect(lineOf(run, "summary")["proof"]).toContain("only 0 of 2 SVGs read back, 2 errors");
    const again = await runJson(["run", files.manifest], remote);
    expect(again.code, again.err).toBe(0);
    expect(lineOf(again, "summary")).toMatchObject({
      writes: 0,
      proof: "2 SVGs read back, no rule broken",
    });
  });
});

describe("verify", () => {
  it("reads every drawing; a run reads those that it has not read yet", async () => {
    const files = makeJobFolder(ROWS, MANIFEST);
    const run = await runJson(["run", files.manifest]);
    expect(lineOf(run, "summary")["proof"]).toBe("2 SVGs read back, no rule broken");
    expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toContain("2 of 2 SVGs");

    const verified = await runJson(["verify", files.manifest]);
    expect(verified.code).toBe(0);
    expect(lineOf(verified, "summary")).toMatchObject({
      isProven: true,
      says: "2 SVGs read back, no rule broken",
    });

    writeFileSync(files.csv, `${ROWS}3,https://a.example/3\n`);
    const more = await runJson(["run", files.manifest]);
    const says = "1 SVG read back and 2 SVGs proven before, no rule broken";
    expect(lineOf(more, "summary")["proof"]).toBe(says);
    const report = path.join(files.out, "report.html");
    expect(readFileSync(report, "utf8")).toMatch(
      /1 of 1 SVGs were read back[^<]* Earlier runs have proven others that are unchanged: 2 SVGs\./u,
    );
    const idle = await runJson(["run", files.manifest]);
    const known = "3 SVGs proven before, no rule broken";
    expect(lineOf(idle, "summary")).toMatchObject({
      proof: known,
      press: { verdict: "rehearsal" },
    });
    rmSync(report);
    const anew = await runJson(["run", files.manifest]);
    expect(lineOf(anew, "summary")).toMatchObject({
      proof: known,
      press: { verdict: "rehearsal" },
    });
    expect(readFileSync(report, "utf8")).toContain("unchanged: 3 SVGs.");
    expect(readFileSync(report, "utf8")).not.toContain("Not verified");

    writeFileSync(path.join(files.out, "artwork/2.svg"), other);
    const changed = await runInProcess(["verify", files.manifest]);
    expect(changed.code).toBe(3);
    expect(changed.out).toContain("only 2 of 3 SVGs read back");
    expect(changed.out).toContain("https://evil.example/");
    const mended = await runJson(["run", files.manifest]);
    expect(mended.code, mended.err).toBe(0);
    expect(lineOf(mended, "summary")["proof"]).toBe(says);
  });
});
