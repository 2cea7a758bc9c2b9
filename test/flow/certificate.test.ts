/** Certificates: written by runs that are ready for press, refused when anything that they bind is changed. */
import { createPublicKey, generateKeyPairSync, verify as verifySignature } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  cpSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { KEY_FILE } from "../../src/base/ids/signing-key.ts";
import {
  formatCertificate,
  parseCertificate,
  signStatement,
  toCanonicalJson,
  type Certificate,
  type Statement,
} from "../../src/pack/certificate.ts";
import { runInProcess } from "./in-process.ts";
import { makeJobFolder, type JobFolder } from "./job-folder.ts";

const ENV = { env: { MAKEREADY_PUBLIC_URL: "https://go.example.com" } };
const ROWS = "n,url\n1,https://a.example/1\n2,https://a.example/2\n3,https://a.example/3\n";
const MANIFEST = `version: 1
name: flow
kind: codes
source: { file: ../rows.csv, key: [n], columns: { url: { type: url } } }
code: { type: Link, dynamic: true, qr_data: "{{ url }}", display_name: "code {{ n }}" }
output: { dir: ../out, files: [svg, png], zip: true, sheets: true, index: [csv, xlsx] }
`;

const run = (files: JobFolder, ...more: string[]) =>
  runInProcess(["run", files.manifest, ...more], ENV);
const check = (file: string, ...more: string[]) => runInProcess(["check", file, ...more]);
const fileOf = ({ out }: Pick<JobFolder, "out">) => path.join(out, "certificate.json");
const read = (file: string): Certificate => parseCertificate(readFileSync(file, "utf8"));

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

let job: JobFolder;

/** The finished job somewhere else, as a print shop gets it. */
function copyOut(): JobFolder {
  const root = mkdtempSync(path.join(os.tmpdir(), "makeready-flow-"));
  cpSync(job.root, root, { recursive: true });
  const move = (file: string): string => path.join(root, path.relative(job.root, file));
  return {
    root,
    manifest: move(job.manifest),
    csv: move(job.csv),
    out: move(job.out),
    data: move(job.data),
  };
}

beforeAll(async () => {
  job = makeJobFolder(ROWS, MANIFEST);
  const ran = await run(job);
  if (ran.code !== 0) throw new Error(ran.err);
});

describe("a certificate", () => {
  it("is looked for in no folder: the file is named", async () => {
    const { code, err } = await check(job.out);
    expect(code).toBe(2);
    expect(err).toContain("must be a certificate, got a folder");
    expect(err).toContain(path.join(job.out, "certificate.json"));
  });

  it("binds all that was made, and what it was made from", () => {
    const { statement, signature } = read(fileOf(job));
    expect(statement.press).toEqual({ verdict: "ready", warnings: [] });
    expect(statement.counts).toMatchObject({
      rows: 3,
      bad: 0,
      failed: 0,
      codes: 3,
      pages: 1,
      pictures: 6,
    });
    expect(statement.proof).toMatchObject({
      codes: 3,
      read: 3,
      pictures: 6,
      picturesRead: 6,
      errors: 0,
    });
    expect(statement.manifest.file).toBe("../jobs/flow.yaml");
    expect(statement.source?.file).toBe("../rows.csv");
    expect(statement.pdfs).toMatchObject([{ file: "flow.pdf", pages: 1, codes: 3, cells: 3 }]);
    expect(statement.zips).toHaveLength(1);
    expect(statement.files.map(({ file }) => file).toSorted()).toEqual([
      "artwork.sha256",
      "index.csv",
      "index.xlsx",
      "sheet-map.json",
    ]);
    // By other means than ours: the key as JWK, the statement as RFC 8785 has it.
    const x = Buffer.from(signature.publicKey, "hex").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.from(toCanonicalJson(statement));
    expect(verifySignature(null, signed, key, Buffer.from(signature.value, "hex"))).toBe(true);
  });

  it("is announced by the run that makes it", async () => {
    expect((await run(copyOut())).out).toContain("certificate.json");
  });

  it("is signed by the key of the data folder, which only its owner may read", async () => {
    expect(statSync(path.join(job.data, KEY_FILE)).mode & 0o777).toBe(0o600);
    const { signature } = read(fileOf(job));
    const printed = await runInProcess(["key", "--data", job.data]);
    expect(printed.out.trim()).toBe(signature.publicKey);
    expect((await check(fileOf(job), "--key", signature.publicKey)).code).toBe(0);
    const other = await check(fileOf(job), "--key", "0".repeat(64));
    expect(other.code).toBe(3);
    expect(other.out).toContain("must be signed by 0000");
  });

  it("has no key where nothing was signed: none is made, and the way to the right one is named", async () => {
    const { root, out, data } = copyOut();
    const elsewhere = path.join(root, "elsewhere");
    mkdirSync(elsewhere);
    for (const at of [elsewhere, out]) {
      const { code, out: said, err } = await runInProcess(["key"], { cwd: at });
      expect([code, said]).toEqual([2, ""]);
      expect(err).toContain(`${path.join(at, ".makeready")} must hold a key, got none`);
      expect(err).toContain("makeready key --data FOLDER");
      expect(existsSync(path.join(at, ".makeready"))).toBe(false);
    }
    const { signature } = read(fileOf(job));
    const beside = await runInProcess(["key"], { cwd: out });
    expect(beside.err).toContain(`certificate.json was signed by ${signature.publicKey}`);
    const named = await runInProcess(["key", "--data", data], { cwd: elsewhere });
    expect(named).toEqual({ code: 0, out: `${signature.publicKey}\n`, err: "" });
  });

  it("signed by another key than that of the folder is named", async () => {
    const [{ root, data }, other] = [copyOut(), makeJobFolder(ROWS, MANIFEST)];
    expect((await run(other)).code).toBe(0);
    cpSync(path.join(other.data, KEY_FILE), path.join(data, KEY_FILE));
    const own = read(fileOf(other)).signature.publicKey;
    const { publicKey } = read(fileOf(job)).signature;
    const { code, out, err } = await runInProcess(["key"], { cwd: root });
    expect([code, out]).toEqual([0, `${own}\n`]);
    expect(err).toContain(`out/certificate.json was signed by another key: ${publicKey}`);
    const json = await runInProcess(["key", "--json"], { cwd: root });
    expect(json.err).toBe("");
    expect(JSON.parse(json.out)).toEqual({
      type: "key",
      publicKey: own,
      others: [{ file: path.join(root, "out", "certificate.json"), publicKey }],
    });
  });

  it("holds in another folder, without state, key and inputs", async () => {
    const { out, data, root } = copyOut();
    rmSync(data, { recursive: true });
    rmSync(path.join(out, "state.db"));
    rmSync(path.join(root, "rows.csv"));
    const { code, out: said } = await check(path.join(out, "certificate.json"));
    expect(code, said).toBe(0);
    // PDF, archive, two indexes, map, list of pictures, six pictures, manifest.
    expect(said).toContain("13 files as certified");
    expect(said).toContain("rows.csv: not checked");
    const named = await check(path.join(out, "certificate.json"), path.join(out, "flow.pdf"));
    expect(named.out).toContain("1 file as certified");
  });

  it("is listed in the report, and verify reports it when it was changed", async () => {
    const files = copyOut();
    expect(readFileSync(path.join(files.out, "report.html"), "utf8")).toContain("certificate.json");
    flip(fileOf(files), 40);
    const { code, out } = await runInProcess(["verify", files.manifest], ENV);
    expect(code).toBe(3);
    expect(out).toContain("certificate.json: file must be as it was written");
  });
});

describe("refused with the reason", () => {
  it.each(["flow.pdf", "index.csv", "index.xlsx", "sheet-map.json", "artwork.sha256"])(
    "one bit of %s",
    async (name) => {
      const files = copyOut();
      const file = path.join(files.out, name);
      flip(file, Math.floor(statSync(file).size / 2));
      const { code, out } = await check(fileOf(files));
      expect(code).toBe(3);
      expect(out).toContain(`${name}: file must have the bytes that were certified`);
    },
  );

  it("each file that is gone, and each picture", async () => {
    const { statement } = read(fileOf(job));
    const files = copyOut();
    const list = readFileSync(path.join(files.out, "artwork.sha256"), "utf8").trim().split("\n");
    const pictures = list.map((line) => line.slice(66));
    expect(pictures).toHaveLength(6);
    for (const name of [
      ...pictures,
      ...[...statement.pdfs, ...statement.zips].map((f) => f.file),
    ]) {
      const kept = readFileSync(path.join(files.out, name));
      rmSync(path.join(files.out, name));
      const { code, out } = await check(fileOf(files));
      expect(code).toBe(3);
      expect(out).toContain(`${name}: file must be there, got none`);
      writeFileSync(path.join(files.out, name), kept);
    }
    expect((await check(fileOf(files))).code).toBe(0);
  });

  it("one cell of the map, with the PDF that it lies in", async () => {
    const files = copyOut();
    const map = path.join(files.out, "sheet-map.json");
    writeFileSync(map, readFileSync(map, "utf8").replace('"column":2', '"column":3'));
    const { code, out } = await check(fileOf(files));
    expect(code).toBe(3);
    expect(out).toContain("must list the cells of flow.pdf that were certified, got others");
  });

  it("one cell of the spreadsheet, one word of the manifest", async () => {
    const files = copyOut();
    writeFileSync(files.csv, ROWS.replace("/2", "/9"));
    const rows = await check(fileOf(files));
    expect(rows.code).toBe(3);
    expect(rows.out).toContain("rows.csv: file must be the one that the job was made from");
    writeFileSync(files.csv, ROWS);
    writeFileSync(files.manifest, MANIFEST.replace("code {{", "Code {{"));
    expect((await check(fileOf(files))).out).toContain("flow.yaml: file must be the one");
  });

  it("every number and every text of the statement", async () => {
    const { statement, signature } = read(fileOf(job));
    const files = copyOut();
    let tried = 0;
    const tamper = async (changed: Statement): Promise<void> => {
      tried += 1;
      writeFileSync(fileOf(files), formatCertificate({ statement: changed, signature }));
      const { code, out, err } = await check(fileOf(files));
      expect(code, JSON.stringify(changed)).not.toBe(0);
      expect(out + err).toMatch(/must be the one that was signed|must have|must be/u);
    };
    const walk = async (value: unknown, put: (other: unknown) => Statement): Promise<void> => {
      if (typeof value === "number") return tamper(put(value + 1));
      if (typeof value === "string") return tamper(put(`${value}x`));
      if (typeof value !== "object" || value === null) return undefined;
      for (const [name, inner] of Object.entries(value)) {
        await walk(inner, (other) => {
          const copy: unknown = Array.isArray(value)
            ? value.with(Number(name), other)
            : { ...value, [name]: other };
          return put(copy);
        });
      }
      return undefined;
    };
    await walk(statement, (other) => other as Statement);
    expect(tried).toBeGreaterThan(40);
  });

  it("any byte of the certificate itself", async () => {
    const files = copyOut();
    const text = readFileSync(fileOf(files), "utf8");
    for (let at = 0; at < text.length; at += 37) {
      writeFileSync(fileOf(files), text);
      flip(fileOf(files), at);
      expect((await check(fileOf(files))).code, `byte ${at}`).not.toBe(0);
    }
    for (const other of [text.trimEnd(), ` ${text}`, text.replace("{", '{ "statement": {},')]) {
      writeFileSync(fileOf(files), other);
      expect((await check(fileOf(files))).code).not.toBe(0);
    }
  });

  it("a file outside of its folder, whatever key signed it", async () => {
    const { statement } = read(fileOf(job));
    const files = copyOut();
    const { privateKey } = generateKeyPairSync("ed25519");
    const [first] = statement.files;
    const wrong = { ...statement, files: [{ ...first, file: "../rows.csv" }] } as Statement;
    writeFileSync(fileOf(files), formatCertificate(signStatement(wrong, privateKey)));
    expect((await check(fileOf(files))).err).toContain("must be a file below the certificate");
  });
});

describe("the next run", () => {
  it("gives a finished job its certificate, and makes nothing else anew", async () => {
    const files = copyOut();
    const stamps = () =>
      ["flow.pdf", "flow.zip"].map((name) => statSync(path.join(files.out, name)).mtimeMs);
    const old = new Date(Date.UTC(2026, 0, 1));
    for (const name of ["flow.pdf", "flow.zip"]) utimesSync(path.join(files.out, name), old, old);
    const before = readFileSync(fileOf(files));
    rmSync(fileOf(files));
    const { out } = await run(files);
    const [planned, ...more] = out.split("\n").filter((line) => line.includes("anew"));
    expect([planned?.trim(), ...more]).toEqual([
      "note      a run makes certificate.json anew: it is missing",
    ]);
    expect(readFileSync(fileOf(files))).toEqual(before);
    expect(stamps()).toEqual([old.getTime(), old.getTime()]);
  });

  it("that finds nothing to do leaves it, and mentions it", async () => {
    const before = statSync(fileOf(job)).mtimeMs;
    const { out } = await run(job);
    expect(out).toContain("signed list of what was made and proven");
    expect(statSync(fileOf(job)).mtimeMs).toBe(before);
  });

  it("certifies what is new", async () => {
    const files = copyOut();
    writeFileSync(files.csv, `${ROWS}4,https://a.example/4\n`);
    expect((await run(files)).code).toBe(0);
    expect(read(fileOf(files)).statement.counts.codes).toBe(4);
    expect((await check(fileOf(files))).code).toBe(0);
  });

  it("without a key that can be read says so, and is tried again", async () => {
    const files = copyOut();
    const key = path.join(files.data, KEY_FILE);
    const pem = readFileSync(key);
    writeFileSync(key, "no key");
    writeFileSync(files.csv, `${ROWS}4,https://a.example/4\n`);
    const ran = await run(files);
    expect(ran.code).toBe(0);
    expect(ran.err + ran.out).toContain("no certificate was written");
    expect(existsSync(fileOf(files))).toBe(false);
    writeFileSync(key, pem);
    expect((await run(files)).out).toContain("certificate.json");
    expect((await check(fileOf(files))).code).toBe(0);
  });
});

it("a rehearsal has none", async () => {
  const files = makeJobFolder(ROWS, MANIFEST);
  expect((await runInProcess(["run", files.manifest])).out).not.toContain("certificate");
  expect(existsSync(fileOf(files))).toBe(false);
  expect(existsSync(path.join(files.data, KEY_FILE))).toBe(false);
});

it("a job without sheets is certified for its pictures", async () => {
  const bare = makeJobFolder(ROWS, MANIFEST.replace(", sheets: true", ""));
  await run(bare);
  const { out } = await check(fileOf(bare));
  expect(out).toContain("  6 pictures, 6 read back; 0 warnings\n");
});
