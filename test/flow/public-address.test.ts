import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeEach, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { openService } from "../../src/service/service.ts";
import { readPublicAddress } from "../../src/service/store/public-address.ts";
import { runInProcess, type InProcess } from "./in-process.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "makeready-address-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const HOME = "https://go.example.com";
const OTHER = "https://other.example.com";

const CODES = `version: 1
name: menus
kind: codes
source: { file: rows.csv, key: [number] }
code: { dynamic: true, qr_data: "{{ url }}", display_name: "Table {{ number }}" }
output: { dir: out/menus, files: [], index: [csv] }
schedule: { cron: "0 6 * * *", timezone: UTC }
`;
const REDESIGN = `version: 1
name: restyle
kind: redesign
select: {}
design: { primary_color: "#003366" }
output: { dir: out/restyle, files: [], index: [csv] }
`;

const PDFS = `version: 1
name: guides
kind: pdfs
source: { folder: . }
code: { display_name: "{{ name }}" }
output: { dir: out/pdfs, files: [], index: [csv] }
`;

let folder = "";
let count = 0;

/** A new shell each time: nothing of the environment is left of the last one. */
const call = (
  args: string,
  env: Readonly<Record<string, string>> = {},
  signal = new AbortController().signal,
): Promise<InProcess> => runInProcess(args.split(" "), { cwd: folder, env, signal });

const named = (url: string): Record<string, string> => ({ MAKEREADY_PUBLIC_URL: url });
const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
const read = (name: string): string => readFileSync(path.join(folder, name), "utf8");
const kept = (): string | undefined => readPublicAddress(path.join(folder, ".makeready")).kept;

const linkOf = (): string | undefined =>
  /,(http[^,]*\/\w+),/u.exec(read("out/menus/index.csv"))?.[1];

const hostedIn = (): string | undefined =>
  /,(http[^,]*\/media\/[^,]*),/u.exec(read("out/pdfs/index.csv"))?.[1];

beforeEach(() => {
  count += 1;
  folder = mkdtempSync(path.join(root, `${count}-`));
  write("rows.csv", "number,url\n1,https://menu.example/1\n2,https://menu.example/2\n");
  write("menus.yaml", CODES);
  write("restyle.yaml", REDESIGN);
});

/** A rehearsal of each kind, with files and sheets, and without. */
const KINDS: Readonly<Record<string, string>> = {
  codes: 'code: { dynamic: true, qr_data: "{{ url }}", display_name: "{{ number }}" }',
  links: 'link: { link: "{{ url }}", display_name: "{{ number }}" }',
  pages: 'page: { title: "{{ number }}", links: [{ url: "{{ url }}", title: Menu }] }',
  forms: 'form: { title: "{{ number }}", fields: [{ field_type: text, label: Name }] }',
};

describe("the public address", () => {
  it("that a run named once is that of every later job on the same data", async () => {
    expect((await call("run menus.yaml", named(HOME))).code).toBe(0);
    expect(kept()).toBe(HOME);
    const plan = await call("plan restyle.yaml");
    expect(plan.out).not.toContain("REHEARSAL");
    const { code, out } = await call("run restyle.yaml");
    expect(code).toBe(0);
    expect(out).not.toContain("REHEARSAL");
    const index = read("out/restyle/index.csv");
    expect(index.match(/https:\/\/go\.example\.com\//gu)).toHaveLength(2);
    expect(index).not.toContain("127.0.0.1");
  });

  it("is the one that codes have: with another one, plan and run name both and the way to change it", async () => {
    await call("run menus.yaml", named(HOME));
    const before = read("out/menus/index.csv");
    for (const step of [
      "plan menus.yaml",
      "run menus.yaml",
      "plan restyle.yaml",
      "run restyle.yaml",
    ]) {
      const { code, err } = await call(step, named(OTHER));
      expect([step, code]).toEqual([step, 2]);
      expect(err).toContain(
        `the public address must be ${HOME}, which the codes ${step.includes("menus") ? "of this job" : `in ${path.join(folder, ".makeready")}`} have, got ${OTHER}: printed codes would lead nowhere`,
      );
      expect(err).toContain(
        `makeready run ${step.split(" ")[1]} --change-public-url https://other.example.com`,
      );
    }
    expect(read("out/menus/index.csv")).toBe(before);
    expect(kept()).toBe(HOME);
    const plan = await call(`plan menus.yaml --change-public-url ${OTHER}`);
    expect(plan.out).toContain(`short links begin with ${OTHER} instead of ${HOME}`);
    expect(plan.out).toContain("0 writes, 2 reads");
    expect(kept()).toBe(HOME);
    const moved = await call(`run menus.yaml --change-public-url ${OTHER}`);
    expect([moved.code, moved.out]).toEqual([0, expect.stringContaining("0 writes and 2 reads")]);
    expect(read("out/menus/index.csv")).toBe(before.replaceAll(HOME, OTHER));
    expect(kept()).toBe(OTHER);
    expect((await call("run menus.yaml")).out).toContain("2 unchanged");
  });

  it.each([["forms", ""], ...Object.keys(KINDS).map((kind) => [kind, "svg, png"])])(
    "is that of %s with the files [%s] that were rehearsed before",
    async (kind, files) => {
      write(
        "job.yaml",
        `version: 1\nname: job\nkind: ${kind}\nsource: { file: rows.csv, key: [number] }\n${KINDS[kind]}\noutput: { dir: out/job, files: [${files}], index: [csv], sheets: { sheet: a4-24up-63.5x33.9 } }\n`,
      );
      expect((await call("run job.yaml")).out).toContain("REHEARSAL");
      const { code, out, err } = await call("run job.yaml", named(HOME));
      expect([code, err]).toEqual([0, expect.not.stringContaining("error")]);
      expect(out).not.toContain("REHEARSAL");
      const index = read("out/job/index.csv");
      expect(index.match(/https:\/\/go\.example\.com\/\w+,/gu)?.length).toBeGreaterThanOrEqual(2);
      expect(index).not.toContain("127.0.0.1");
      expect((await call("run job.yaml")).out).toContain("2 unchanged");
    },
  );

  it("that another job has moved: plan, run, doctor and verify say so, with advice that works", async () => {
    write("other.yaml", CODES.replaceAll("menus", "other"));
    await call("run menus.yaml", named(HOME));
    await call("run other.yaml");
    await call(`run menus.yaml --change-public-url ${OTHER}`);
    const says = `the codes of this job have ${HOME}, but all codes in ${path.join(folder, ".makeready")} have been moved to ${OTHER} since: those printed with ${HOME} lead nowhere`;
    const onwards = `run other.yaml --change-public-url ${OTHER}`;
    const back = `run other.yaml --change-public-url ${HOME}`;
    const refused = ["plan other.yaml", "run other.yaml", "verify other.yaml", "doctor other.yaml"];
    for (const step of refused) {
      for (const env of [{}, named(HOME), named(OTHER)]) {
        const { code, err, out } = await call(step, env);
        expect([step, code]).not.toEqual([step, 0]);
        expect(err + out).toContain(says);
        for (const advice of [onwards, back]) expect(err + out).toContain(`makeready ${advice}`);
      }
    }
    expect((await call("verify menus.yaml")).out).not.toContain("moved");
    expect((await call(back)).code).toBe(0);
    expect((await call(`run menus.yaml --change-public-url ${OTHER}`)).code).toBe(0);
    expect((await call(onwards)).code).toBe(0);
    for (const step of refused) expect([step, (await call(step)).code]).toEqual([step, 0]);
  });

  it("is looked at by sheets, too: none is printed again or proven under another one", async () => {
    write("menus.yaml", CODES.replace("index: [csv]", "sheets: true"));
    await call("run menus.yaml", named(HOME));
    for (const step of ["reprint menus.yaml --lines 2", "proof menus.yaml"]) {
      const { code, err } = await call(`sheets ${step}`, named(OTHER));
      expect([step, code, err]).toEqual([step, 2, expect.stringContaining(`got ${OTHER}`)]);
    }
    // Another job has moved the data folder: what this one has printed is old.
    write("more.yaml", CODES.replaceAll("menus", "more"));
    expect((await call(`run more.yaml --change-public-url ${OTHER}`)).code).toBe(0);
    const { code, err } = await call("sheets reprint menus.yaml --lines 2");
    expect([code, err]).toEqual([2, expect.stringContaining(`have been moved to ${OTHER} since`)]);
  });

  it("is what a preview shows: that of the run, or it is refused as the run is", async () => {
    const shown = async (args = ""): Promise<{ says: string | undefined; err: string }> => {
      const { out, err } = await call(`preview menus.yaml --out look${args}`);
      return { says: /says "(?<link>.*)"/u.exec(out)?.groups?.["link"], err };
    };
    await call("run menus.yaml");
    const rehearsed = linkOf();
    expect(await shown()).toEqual({ says: rehearsed, err: "" });
    const moving = await shown(` --public-url ${HOME}`);
    expect(moving.err).toContain(
      `the short link begins with ${HOME} instead of http://127.0.0.1:8787: a run makes it so`,
    );
    await call("run menus.yaml", named(HOME));
    expect(linkOf()).toBe(moving.says);
    expect(await shown()).toEqual({ says: moving.says, err: "" });
    const { code, err } = await call(`preview menus.yaml --out look --public-url ${OTHER}`);
    expect(code).toBe(2);
    expect(err).toContain(
      `the public address must be ${HOME}, which the codes of this job have, got ${OTHER}`,
    );
    expect(err).toContain("makeready run menus.yaml --change-public-url https://other.example.com");
    expect(err).not.toContain("look");
  });

  it("is what a preview of small codes in capitals shows, too", async () => {
    write("menus.yaml", CODES.replace("dynamic: true,", "dynamic: true, compact: true,"));
    await call("run menus.yaml");
    const { out } = await call(`preview menus.yaml --out look --public-url ${HOME}`);
    await call("run menus.yaml", named(HOME));
    expect(read("out/menus/index.csv")).toContain(`,${/says "(?<link>.*)"/u.exec(out)?.[1]},`);
    expect(out).toContain('says "HTTPS://GO.EXAMPLE.COM/');
  });

  it("is not looked for in a file that is named as the data folder", () => {
    const file = path.join(folder, "menus.csv");
    write("menus.csv", "");
    expect(() => readPublicAddress(file)).toThrow(`the data folder must be a folder, got ${file}`);
  });

  it("of a rehearsal may be named at any time, and a plan says what moves", async () => {
    expect((await call("run menus.yaml")).out).toContain("--public-url ADDRESS");
    expect(kept()).toBeUndefined();
    const plan = await call(`plan menus.yaml --public-url ${HOME}`);
    expect(plan.out).toContain(`short links begin with ${HOME} instead of http://127.0.0.1:8787`);
    expect(kept()).toBeUndefined();
    expect((await call(`run menus.yaml --public-url ${HOME}/`)).code).toBe(0);
    expect(kept()).toBe(HOME);
  });

  it("is reported as unknown for existing codes when it was never set", async () => {
    await call("run menus.yaml");
    expect((await call("plan restyle.yaml")).out).toContain("REHEARSAL");
  });

  it("comes from the flag, the variable, the manifest, the config, the data, in this order", async () => {
    const tell = async (args: string, env = {}): Promise<string> =>
      (await call(`config menus.yaml${args}`, env)).out
        .split("\n")
        .filter((line) => line.startsWith("api.public_url"))
        .join();
    expect(await tell("")).toBe("");
    await call("run menus.yaml", named(HOME));
    expect(await tell("")).toMatch(/"https:\/\/go.example.com" +# kept in .makeready$/u);
    write("makeready.config.yaml", "api: { public_url: https://config.example }\n");
    expect(await tell("")).toMatch(/config.example" +# project makeready.config.yaml:1$/u);
    write("menus.yaml", `${CODES}api: { public_url: https://manifest.example }\n`);
    expect(await tell("")).toMatch(/manifest.example" +# menus.yaml:8$/u);
    const env = named("https://variable.example");
    expect(await tell("", env)).toMatch(/variable.example" +# environment MAKEREADY_PUBLIC_URL$/u);
    expect(await tell(" --public-url https://flag.example", env)).toMatch(
      /flag.example" +# flag --public-url$/u,
    );
  });

  it.each(["go.example.com", "ftp://go.example.com", "https://anna:pw@go.example.com"])(
    "can't be %s",
    async (url) => {
      const { code, err } = await call("plan menus.yaml", named(url));
      expect(code).toBe(2);
      expect(err).toMatch(/^error: MAKEREADY_PUBLIC_URL must be an http or https address/u);
      expect(await call("serve --port 0", named(url))).toMatchObject({ code: 2 });
    },
  );

  it("of data from before it was kept is taken from the job that knows it", async () => {
    await call("run menus.yaml", named(HOME));
    const store = openSqlite(path.join(folder, ".makeready", "service.db"));
    store.run("DELETE FROM meta WHERE key = 'public_url'");
    store.close();
    expect(kept()).toBeUndefined();
    const { code, out } = await call("run menus.yaml");
    expect([code, out]).toEqual([0, expect.stringContaining("2 unchanged")]);
    write("rows.csv", `${read("rows.csv")}3,https://menu.example/3\n`);
    expect((await call("run menus.yaml")).code).toBe(0);
    expect(kept()).toBe(HOME);
    expect(read("out/menus/index.csv").match(/https:\/\/go\.example\.com\//gu)).toHaveLength(3);
  });

  it("is part of printed timers and reported by doctor", async () => {
    await call("run menus.yaml", named(HOME));
    const cron = await call("schedule print --cron menus.yaml");
    expect(cron.out).toMatch(
      /schedule run --once \S+menus.yaml --public-url https:\/\/go\.example\.com\n/u,
    );
    const units = await call("schedule print --systemd menus.yaml");
    expect(units.out).toContain('"--public-url" "https://go.example.com"');
    const first = await call("schedule print --cron menus.yaml", named(OTHER));
    expect(first.out).toContain(`--public-url ${OTHER}`);
    expect((await call("doctor menus.yaml")).out).toContain(
      `short links begin with ${HOME}, as its data folder keeps`,
    );
    expect((await call("doctor menus.yaml", named(OTHER))).code).toBe(2);
  });

  it("is what serve serves, and changed by it on purpose only", async () => {
    await call("run menus.yaml", named(HOME));
    const stop = new AbortController();
    stop.abort();
    const serve = (args: string, env = {}) => call(`serve --port 0${args}`, env, stop.signal);
    expect((await serve("")).out).toContain(`Short links begin with ${HOME}\n`);
    const refused = await serve(` --public-url ${OTHER}`);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`makeready serve --port 0 --change-public-url ${OTHER}`);
    const typed =
      " --limits off --webhook-url https://in.example --webhook-secret sesame --access-log";
    const { err } = await serve(`${typed} --public-url ${OTHER}`);
    expect(err).toContain(
      `makeready serve --port 0 --limits off --webhook-url https://in.example --webhook-secret SECRET --access-log --change-public-url ${OTHER}`,
    );
    expect(err).not.toContain("sesame");
    expect((await serve(` --change-public-url ${OTHER}`)).out).toContain(OTHER);
    expect(kept()).toBe(OTHER);
    write("makeready.config.yaml", `api: { public_url: ${HOME} }\n`);
    expect((await serve("")).err).toContain(`got ${HOME}`);
  });

  it("is where the index finds hosted PDFs, not the port that the job listened on", async () => {
    const [pdf = ""] = readdirSync("samples/manuals").filter((name) => name.endsWith(".pdf"));
    copyFileSync(path.join("samples/manuals", pdf), path.join(folder, "guide.pdf"));
    write("pdfs.yaml", PDFS);
    await call("run pdfs.yaml");
    expect(hostedIn()).toMatch(/^http:\/\/127\.0\.0\.1:8787\/media\/\S+\.pdf$/u);
    await call("run pdfs.yaml", named(HOME));
    const url = hostedIn() ?? "";
    expect(url).toMatch(/^https:\/\/go\.example\.com\/media\/\S+\.pdf$/u);
    const service = await openService({ dataDir: path.join(folder, ".makeready"), limits: "off" });
    try {
      const found = await service.fetch(new Request(url));
      expect([found.status, found.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    } finally {
      await service.close();
    }
  });
});
