import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { runInProcess } from "../flow/in-process.ts";

async function makeJob(): Promise<string> {
  const cwd = mkdtempSync(path.join(os.tmpdir(), "makeready-config-"));
  await runInProcess(["init"], { cwd });
  writeFileSync(path.join(cwd, "makeready.config.yaml"), "run: { concurrency: 3 }\n");
  return cwd;
}

const env = {
  MAKEREADY_BASE_URL: "https://api.example.com/api/v2",
  MAKEREADY_TOKEN: "very-secret",
  MAKEREADY_WORKSPACE: "W1",
};

describe("makeready config (docs/spec/jobs.md section 1)", () => {
  it("prints the final job with where each value comes from, and no secret", async () => {
    const cwd = await makeJob();
    const { code, out } = await runInProcess(
      ["config", "--resolved", "shelf-labels.yaml", "--set", "output.files=[svg]"],
      { cwd, env },
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^# codes job of shelf-labels\.yaml\n/u);
    expect(out).toMatch(/^name: "shelf-labels" +# shelf-labels\.yaml:3$/mu);
    expect(out).toMatch(/^run\.concurrency: 3 +# project makeready\.config\.yaml:1$/mu);
    expect(out).toMatch(/^api\.base_url: "https.*" +# environment MAKEREADY_BASE_URL$/mu);
    expect(out).toMatch(/^output\.files: \["svg"\] +# flag --set output\.files=\[svg\]$/mu);
    expect(out).toMatch(/^output\.sheets\.order: "rows" +# default$/mu);
    expect(out).toMatch(/^api\.token: "\(set, not shown\)" +# environment MAKEREADY_TOKEN$/mu);
    expect(out).not.toContain("very-secret");
  });

  it("says the same to programs", async () => {
    const cwd = await makeJob();
    const { out } = await runInProcess(["config", "shelf-labels.yaml", "--json"], { cwd });
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ type: "field", field: "name", value: "shelf-labels" });
    expect(lines.at(-1)).toMatchObject({ type: "summary", fields: lines.length - 1 });
  });

  it("of a wrong manifest says what is wrong", async () => {
    const cwd = await makeJob();
    const set = ["--set", "output.fiels=[svg]"];
    const { code, err } = await runInProcess(["config", "shelf-labels.yaml", ...set], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('did you mean "files"?');
  });
});
