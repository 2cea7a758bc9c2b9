/** What a plan counts is what the run sends, also for tags and for files that are fetched anew. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";
import { openRemote } from "./remote.ts";
import { lineOf, runJson } from "./seed.ts";

const MANIFEST = `version: 1
name: counts
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}", tags: [a, b] }
output: { dir: ../out, files: [svg, png], file_name: "{{ name }}" }
`;

const rows = (word: string, name = "x"): string =>
  `n,url,name\n1,https://a.example/${word},${name}-1\n2,https://a.example/${word}2,${name}-2\n`;

function edit({ manifest }: JobFolder, from: string, to: string): void {
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(from, to));
}

it("writes and reads of updates, tags and renamed files are counted as they are sent", async () => {
  const files = makeJobFolder(rows("old"), MANIFEST);
  const compare = async () => {
    const plan = lineOf(await runJson(["plan", files.manifest]), "plan");
    const summary = lineOf(await runJson(["run", files.manifest]), "summary");
    expect(summary).toMatchObject({ writes: plan["writes"], reads: plan["reads"] });
    return summary;
  };
  expect(await compare()).toMatchObject({ created: 2, changed: 0, writes: 4 });
  edit(files, "[a, b]", "[b, c]");
  expect(await compare()).toMatchObject({ changed: 2, writes: 4, reads: 0 });
  edit(files, "[b, c]", "[c]");
  expect(await compare()).toMatchObject({ changed: 2, writes: 2, reads: 0 });
  writeFileSync(files.csv, rows("new"));
  expect(await compare()).toMatchObject({ changed: 2, writes: 2, reads: 0 });
  writeFileSync(files.csv, rows("newest", "y"));
  expect(await compare()).toMatchObject({ changed: 2, writes: 2, reads: 2 });
});

it("files that get another name and another look are counted twice, as they may be fetched", async () => {
  const files = makeJobFolder(rows("old"), MANIFEST);
  await runJson(["run", files.manifest]);
  writeFileSync(files.csv, rows("old", "y"));
  edit(files, "tags: [a, b] }", 'tags: [a, b], design: { primary_color: "#003366" } }');
  const plan = lineOf(await runJson(["plan", files.manifest]), "plan");
  const { reads } = lineOf(await runJson(["run", files.manifest]), "summary");
  expect(plan).toMatchObject({ reads: 4, readsAtMost: true });
  expect(reads).toBeLessThanOrEqual(4);
});

const THINGS: Readonly<Record<string, string>> = {
  codes: 'code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}" }',
  links: 'link: { link: "{{ url }}", display_name: "{{ n }}" }',
  forms: 'form: { title: "{{ n }}", fields: [{ field_type: text, label: Name }] }',
};

it.each([
  ["codes", "svg"],
  ["links", "svg"],
  ["forms", "svg, png"],
] as const)(
  "reads of %s with the files [%s] under a new address are counted",
  async (kind, wanted) => {
    const manifest = `version: 1
name: counts
kind: ${kind}
source: { file: ../rows.csv, key: [n] }
${THINGS[kind]}
output: { dir: ../out, files: [${wanted}] }
`;
    const files = makeJobFolder(rows("old"), manifest);
    await runInProcess(["run", files.manifest]);
    const at = [files.manifest, "--public-url", "https://go.example.com"];
    const plan = lineOf(await runJson(["plan", ...at]), "plan");
    const summary = lineOf(await runJson(["run", ...at]), "summary");
    expect(summary).toMatchObject({ writes: plan["writes"], reads: plan["reads"] });
  },
);

it("a link that moves and changes takes no more reads than the plan allows", async () => {
  const manifest = `version: 1
name: counts
kind: links
source: { file: ../rows.csv, key: [n] }
${THINGS["links"]}
output: { dir: ../out, files: [png] }
`;
  const files = makeJobFolder(rows("old"), manifest);
  await runInProcess(["run", files.manifest]);
  writeFileSync(files.csv, rows("new"));
  const at = [files.manifest, "--public-url", "https://go.example.com"];
  const plan = lineOf(await runJson(["plan", ...at]), "plan");
  const summary = lineOf(await runJson(["run", ...at]), "summary");
  expect(plan).toMatchObject({ writes: 2, readsAtMost: true });
  expect(summary["writes"]).toBe(2);
  expect(summary["reads"]).toBeLessThanOrEqual(Number(plan["reads"]));
});

it("a plan names folders that a run makes, and none that exist", async () => {
  const text = MANIFEST.replace("tags: [a, b]", 'folder: "Tables/{{ n }}"');
  const files = makeJobFolder(rows("old"), text);
  const plan = async (): Promise<string> => (await runInProcess(["plan", files.manifest])).out;
  expect(await plan()).toContain(
    "  folders   3 to ask for: a folder that is there already is not made again\n",
  );
  expect(lineOf(await runJson(["plan", files.manifest]), "plan")["folders"]).toHaveLength(3);
  await runInProcess(["run", files.manifest]);
  expect(await plan()).not.toContain("folders");
  expect(lineOf(await runJson(["plan", files.manifest]), "plan")["folders"]).toEqual([]);
  writeFileSync(files.csv, `${rows("old")}3,https://a.example/3,x-3\n`);
  expect(await plan()).toContain(
    "  folders   1 to ask for: a folder that is there already is not made again\n",
  );
});

it("a change that no code can make is first to be put back in the manifest", async () => {
  const files = makeJobFolder(rows("old"), MANIFEST);
  await runInProcess(["run", files.manifest]);
  edit(files, "dynamic: true", "dynamic: false");
  const { out, err } = await runInProcess(["plan", files.manifest]);
  expect(`${out}${err}`).toContain(
    "put code.dynamic back in the manifest; a row with a new key makes a second code",
  );
});

it("a run that stops at its limit names the next command", async () => {
  const files = makeJobFolder(rows("old"), MANIFEST);
  const { out } = await runInProcess(["run", files.manifest, "--limit", "1"]);
  expect(out).toMatch(/for the 1 left to do: makeready run \S*flow\.yaml/u);
});

async function planModule(first: string, second: string): Promise<string | undefined> {
  const manifest = `version: 1
name: slugs
kind: links
source: { file: ../rows.csv, key: [n] }
link: { link: "https://a.example", slug: "{{ slug }}" }
output: { dir: ../out, files: [], sheets: { sheet: a4-24up-63.5x33.9 } }
`;
  const files = makeJobFolder(`n,slug\n1,${first}\n2,${second}\n`, manifest);
  const at = [files.manifest, "--public-url", "https://go.a.co"];
  return /X-dimension (\d\.\d{3}) mm/u.exec((await runInProcess(["plan", ...at])).out)?.[1];
}

it("beside slugs that rows name, those that the server makes up count as well", async () => {
  const [made, named, some] = [
    await planModule("", ""),
    await planModule("a", "b"),
    await planModule("a", ""),
  ];
  expect(named).not.toBe(made);
  expect(some).toBe(made);
  expect(await planModule("a-longer-slug", "")).toBe(await planModule("a-longer-slug", "b"));
});

it("of slugs that rows name, the one that needs the largest code counts: letters take more than digits", async () => {
  const [letters, digits] = ["abcdefghijklmnopq", "12345678901234567"];
  const large = await planModule(letters, "b");
  expect(await planModule(digits, "b")).not.toBe(large);
  expect(await planModule(digits, letters)).toBe(large);
  expect(await planModule(`${digits}1234`, letters)).toBe(large);
});

it("slugs that rows name count when a plan says how large modules will be", async () => {
  const address = "https://go.example.com";
  const sheets = `{ dir: ../out, files: [], index: [], sheets: { sheet: a4-24up-63.5x33.9, caption: "{{ n }}" } }`;
  const top = "version: 1\nname: slugs\nsource: { file: ../rows.csv, key: [n] }\n";
  const ofKind = {
    links: 'kind: links\nlink: { link: "{{ url }}", slug: "{{ name }}" }',
    pages: 'kind: pages\npage: { title: "{{ n }}", slug: "{{ name }}" }',
    forms:
      'kind: forms\nform: { title: "{{ n }}", slug: "{{ name }}", fields: [{ field_type: text, label: a }] }',
    // What the codes of the others will say.
    codes: `kind: codes\ncode: { type: Link, dynamic: false, qr_data: "${address}/{{ name }}" }`,
  };
  const slug = "a-slug-of-the-summer-festival-in-the-old-town-hall";
  const planned = await Promise.all(
    Object.values(ofKind).map(async (kind) => {
      const files = makeJobFolder(rows("x", slug), `${top}${kind}\noutput: ${sheets}\n`);
      const { out } = await runInProcess(["plan", files.manifest, "--public-url", address]);
      return /X-dimension (\d\.\d{3}) mm/u.exec(out)?.[1];
    }),
  );
  expect(new Set(planned).size).toBe(1);
  expect(planned[0]).toBeDefined();
});

const toX = (text: string): string | undefined => /X-dimension (\d\.\d{3}) mm/u.exec(text)?.[1];

const named = (...slugs: string[]): string =>
  `n,url,slug\n${slugs.map((slug, at) => `${at},https://a.example/,${slug}\n`).join("")}`;

describe("short links of another server", () => {
  const SHEETS = "{ sheet: avery-l7165, caption: '{{ n }}', x_dimension_mm: 1.6 }";

  async function openFar(origin: string) {
    const files = makeJobFolder(
      "n,url\n1,https://a.example/1\n2,https://a.example/2\n",
      `version: 1
name: far
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ n }}" }
output: { dir: ../out, files: [svg], sheets: ${SHEETS} }
`,
    );
    const remote = await openRemote(files.data, origin);
    const call = async (step: string, ...more: string[]) => {
      const { env, transport } = remote;
      const got = await runInProcess([step, files.manifest, ...more], { env, transport });
      return { ...got, says: `${got.out}\n${got.err}` };
    };
    return { files, call, close: () => remote.close() };
  }

  const AS_FITS = ["--set", "output.sheets={ sheet: avery-l7165 }"] as const;

  it("are a guess before it makes them, and refuse sheets; once they are known, they decide", async () => {
    const { files, call, close } = await openFar("https://go.example.com");
    const guess = "if short links have 34 characters";
    for (const step of ["plan", "run"]) {
      const { code, says } = await call(step);
      expect(code, says).not.toBe(0);
      expect(says).toContain(`${guess}, the sheets can't be printed: a version 4`);
      expect(says).toContain("smaller x_dimension_mm");
    }
    expect((await call("status")).says).toContain("not started");
    expect((await call("plan", ...AS_FITS)).says).toMatch(
      /X-dimension \S+ mm on the grid of \d+ dpi if short links have 34/u,
    );
    const free = await call("run", ...AS_FITS);
    expect(free.code, free.says).toBe(0);
    const second = await call("plan");
    expect(second.code, second.says).toBe(0);
    expect(second.says).not.toContain("short links have");
    const planned = toX((await call("plan", ...AS_FITS)).says);
    const db = openSqlite(path.join(files.out, "state.db"));
    const cells = db.all<{ cell: string }>("SELECT cell FROM rows");
    db.close();
    const printed = cells.flatMap(({ cell }) => JSON.parse(cell) as { xMm: number }[]);
    expect(printed.map(({ xMm }) => xMm.toFixed(3))).toEqual([planned, planned]);
    writeFileSync(
      files.csv,
      "n,url\n1,https://a.example/1\n2,https://a.example/2\n3,https://a.example/3\n",
    );
    // Others will be of the same length.
    expect((await call("plan", ...AS_FITS)).says).toContain("if short links have 31 characters");
    await close();
  });

  it("that are too long for the sheets are made and kept, and printed once there is room", async () => {
    const { call, close } = await openFar("https://labels.of-a-very-long-name.example");
    const made = await call("run", "--set", "output.sheets.x_dimension_mm=1.45");
    expect(made.code).not.toBe(0);
    expect(made.says).toMatch(/a version \d code with its quiet zone must fit/u);
    expect((await call("plan")).says).toContain("must fit");
    const { code, says } = await call("run", ...AS_FITS);
    expect(code, says).toBe(0);
    expect(says).toContain("2 unchanged");
    await close();
  });

  it("that no label has room for are refused before any is made", async () => {
    const { call, close } = await openFar("https://go.example.com");
    const { code, says } = await call("run", "--set", "output.sheets.x_dimension_mm=3");
    expect(code, says).not.toBe(0);
    expect(says).not.toContain("short links have");
    expect((await call("status")).says).toContain("not started");
    await close();
  });

  it("are no guess where rows name their slugs and the manifest names their address", async () => {
    const { files, call, close } = await openFar("https://go.example.com");
    writeFileSync(
      files.manifest,
      `version: 1
name: far
kind: links
source: { file: ../rows.csv, key: [n] }
link: { link: "{{ url }}", slug: "slug-{{ n }}", domain: a-host-of-a-long-name.example.com }
output: { dir: ../out, files: [svg], sheets: ${SHEETS} }
`,
    );
    for (const step of ["plan", "run"]) {
      const { code, says } = await call(step);
      expect(code, says).not.toBe(0);
      expect(says).toMatch(/a version \d code with its quiet zone must fit/u);
      expect(says).not.toContain("short links have");
    }
    expect((await call("status")).says).toContain("not started");
    expect((await call("plan", ...AS_FITS)).says).not.toContain("short links have");
    await close();
  });

  const NAMED = `version: 1
name: far
kind: links
source: { file: ../rows.csv, key: [n] }
link: { link: "{{ url }}", slug: "{{ slug }}" }
output: { dir: ../out, files: [svg], sheets: ${SHEETS} }
`;
  it("that are told are compared by the code that they need", async () => {
    const { files, call, close } = await openFar("https://go.a.co");
    writeFileSync(files.manifest, NAMED);
    writeFileSync(files.csv, named("12345678901234567"));
    expect((await call("run", ...AS_FITS)).code).toBe(0);
    expect((await call("plan")).code).toBe(0);
    writeFileSync(files.csv, named("12345678901234567", "abcdefghijklmnopq"));
    expect((await call("run", ...AS_FITS)).code).toBe(0);
    const { code, says } = await call("plan");
    expect(code, says).not.toBe(0);
    expect(says).toContain("a version 4 code with its quiet zone must fit");
    await close();
  });

  it("are no guess where a slug that a row names needs the largest code, though others are made up", async () => {
    const { files, call, close } = await openFar("https://go.a.co");
    writeFileSync(files.manifest, NAMED);
    const long = "a-slug-of-the-summer-festival";
    writeFileSync(files.csv, named(long));
    expect((await call("run", ...AS_FITS)).code).toBe(0);
    writeFileSync(files.csv, named(long, ""));
    const { code, says } = await call("plan");
    expect(code, says).not.toBe(0);
    expect(says).toContain("code with its quiet zone must fit");
    expect(says).not.toContain("short links have");
    await close();
  });
});

it("short links are measured by letters: no slug of their length needs a larger code", async () => {
  const files = makeJobFolder(
    "n\n1\n",
    `version: 1
name: letters
kind: codes
source: { file: ../rows.csv, key: [n] }
code: { dynamic: true, qr_data: "https://a.example/{{ n }}" }
output: { dir: ../out, files: [svg], sheets: { sheet: { label: [24, 24], margin: 5 }, caption: [], x_dimension_mm: 0.35 } }
`,
  );
  const plan = (url: string) => runInProcess(["plan", files.manifest, "--public-url", url]);
  // A version 3 code holds 32 letters, or 29 letters and 4 digits.
  const { code, err } = await plan("https://go.longhost.test");
  expect(code, err).not.toBe(0);
  expect(err).toContain("a version 4 code with its quiet zone must fit");
  const shorter = await plan("https://go.longhos.test");
  expect(shorter.code, shorter.err).toBe(0);
});
