import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";

import { fetchTransport } from "../../src/client/fetch-transport.ts";
import { runInProcess } from "../flow/in-process.ts";
import { makeXlsx, row, textSheet } from "../read/make-xlsx.ts";
import { makeService, type TestService } from "../service/make-service.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "makeready-import-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let service: TestService;
let data: string;
let n = 0;
beforeEach(async () => {
  n += 1;
  data = path.join(folder, `data-${n}`);
  service = await makeService({ dataDir: data });
});
afterEach(() => service.close());

const write = (text: string): string => {
  const file = path.join(folder, `links-${n}.csv`);
  writeFileSync(file, text);
  return file;
};
const book = (sheets: Parameters<typeof makeXlsx>[0]["sheets"]): string => {
  const file = path.join(folder, `links-${n}.xlsx`);
  writeFileSync(file, makeXlsx({ sheets }));
  return file;
};
const type = (file: string, ...argv: string[]) =>
  runInProcess(["import-links", file, "--data", data, ...argv], { cwd: folder });

type Listed = Readonly<Record<"slug" | "link" | "display_name", string>>;

/** As the API lists them: the newest first. */
async function listLinks(): Promise<readonly Listed[]> {
  const { body } = await service.get(`/workspace/${service.workspace}/links/?page_size=200`);
  return body.results as Listed[];
}

/** As their services write them. */
const EXPORTS: Readonly<Record<string, string>> = {
  Bitly: `link,title,long_url,created_at,tags
https://bit.ly/Menu-1,Menu,https://example.com/menu?a=1,2024-02-01T10:00:00+0000,"a,b"
bit.ly/sale,,https://example.com/sale,2024-01-01T10:00:00+0000,
`,
  Dub: `Short link,Destination URL,Clicks,Created at,Updated at,Tags
https://dub.sh/Menu-1,https://example.com/menu?a=1,12,2024-02-01 10:00,2024-02-02,
https://dub.sh/sale,https://example.com/sale,3,2024-01-01 10:00,2024-02-02,spring
`,
  Shlink: `createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits
2024-02-01T10:00:00+00:00,,Menu-1,https://s.test/Menu-1,https://example.com/menu?a=1,Menu,,4
2024-01-01T10:00:00+00:00,,sale,https://s.test/sale,https://example.com/sale,,a|b,0
`,
  "Short.io": `id;originalURL;path;title;createdAt;shortURL;secureShortURL
lnk_1;https://example.com/menu?a=1;Menu-1;Menu;2024-02-01T10:00:00Z;http://go.test/Menu-1;https://go.test/Menu-1
lnk_2;https://example.com/sale;sale;;2024-01-01T10:00:00Z;http://go.test/sale;https://go.test/sale
`,
  YOURLS: `keyword,url,title,timestamp,ip,clicks
Menu-1,https://example.com/menu?a=1,Menu,2024-02-01 10:00:00,127.0.0.1,5
sale,https://example.com/sale,,2024-01-01 10:00:00,127.0.0.1,5
`,
  "plain columns": `slug,destination,title,created
Menu-1,https://example.com/menu?a=1,Menu,2024-02-01
sale,https://example.com/sale,,2024-01-01
`,
};

describe("makeready import-links", () => {
  it("makes nothing for a plan, and the data folder once it is agreed to", async () => {
    const file = write(EXPORTS["plain columns"] ?? "");
    const fresh = path.join(folder, "fresh");
    const plan = await type(file, "--data", fresh);
    expect([plan.code, plan.err]).toEqual([0, "nothing was made; add --yes to make them\n"]);
    expect(plan.out).toContain("  2 links to make\n");
    expect(existsSync(fresh)).toBe(false);
    const made = await type(file, "--data", fresh, "--yes");
    expect([made.code, made.out]).toEqual([0, expect.stringContaining("2 links made\n")]);
    expect((await type(file, "--data", fresh)).out).toContain("  2 there already");
  });

  it.each(Object.keys(EXPORTS))("keeps the slugs of %s, the oldest first, once", async (name) => {
    const file = write(EXPORTS[name] ?? "");
    const made = await type(file, "--yes");
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(made.out).not.toContain("not read");
    const listed = await listLinks();
    expect(listed.map(({ slug, link }) => [slug, link])).toEqual([
      ["Menu-1", "https://example.com/menu?a=1"],
      ["sale", "https://example.com/sale"],
    ]);
    expect(listed[0]?.display_name).toBe(name === "Dub" ? "" : "Menu");
    const opened = await service.fetch(
      new Request("https://go.example/Menu-1", { redirect: "manual" }),
    );
    expect(opened.headers.get("location")).toBe("https://example.com/menu?a=1");
    const again = await type(file, "--yes");
    expect(again.out).toContain("0 links to make");
    expect(again.out).toContain("2 there already");
    expect(await listLinks()).toHaveLength(2);
  });

  it("makes custom links too, and names columns of other links that it doesn't read", async () => {
    const file = write(`created_at,title,long_url,link,custom_bitlinks,deep_link
2024-01-01T00:00:00+0000,One,https://example.com/1,bit.ly/zz0,"[""https://brand.example/A-1"",""brand.example/A-2""]",
2024-01-02T00:00:00+0000,Two,https://example.com/2,bit.ly/zz1,brand.example/Summer-Sale,https://app.example/2
`);
    const { out, err, code } = await type(file, "--yes");
    expect([err, code]).toEqual(["", 0]);
    expect(out).toContain('custom = "custom_bitlinks"');
    expect(out).toContain("5 links to make\n");
    expect(out).toContain('not read: "deep_link", which holds other links; short links');
    expect(out).not.toContain('not read: "custom');
    expect((await listLinks()).map(({ slug, link }) => `${slug} ${link}`).toSorted()).toEqual([
      "A-1 https://example.com/1",
      "A-2 https://example.com/1",
      "Summer-Sale https://example.com/2",
      "zz0 https://example.com/1",
      "zz1 https://example.com/2",
    ]);
  });

  it("makes custom links that have no short link beside them", async () => {
    const file = write(`long_url,custom_bitlinks
https://example.com/1,"[""https://brand.example/spring"",""https://brand.example/sp""]"
https://example.com/2,brand.example/summer
https://example.com/3,
`);
    const { out, code } = await type(file, "--yes");
    expect(out).toContain('custom = "custom_bitlinks"');
    expect([code, out]).toEqual([3, expect.stringContaining("refused: line 4, slug")]);
    expect((await listLinks()).map(({ slug, link }) => `${slug} ${link}`).toSorted()).toEqual([
      "sp https://example.com/1",
      "spring https://example.com/1",
      "summer https://example.com/2",
    ]);
  });

  it("shows a plan first and makes nothing without a yes", async () => {
    const file = write(EXPORTS["YOURLS"] ?? "");
    const { out, err, code } = await type(file);
    expect(out).toContain('columns: slug = "keyword", destination = "url", title = "title"');
    expect(out).toContain("2 links to make");
    expect(out).toContain("not moved: clicks, tags, and the days");
    expect([code, err]).toEqual([0, "nothing was made; add --yes to make them\n"]);
    expect(await listLinks()).toEqual([]);
  });

  it("lists conflicts and what can't be taken, and makes the rest", async () => {
    const { workspace } = service;
    const taken = { workspace, link: "https://example.com/elsewhere", slug: "taken" };
    await service.send("POST", "/link/create/", taken);
    const theirs = {
      workspace: service.other.workspaceId,
      link: "https://a.example/",
      slug: "theirs",
    };
    await service.send("POST", "/link/create/", theirs, { token: service.other.token });
    const file = write(`slug,destination
good,https://example.com/good
taken,https://example.com/taken
twice,https://example.com/one
twice,https://example.com/two
same,https://example.com
same,https://example.com/
under_score,https://example.com/x
nowhere,
script,javascript:alert(1)
theirs,https://example.com/theirs
API,https://example.com/api
`);
    const { out, code } = await type(file, "--yes");
    expect(code).toBe(3);
    expect(out).toContain("3 links to make");
    expect(out).toContain("3 conflicts, 4 refused");
    expect(out).toContain(
      'conflict: line 3, slug "taken": the workspace has it, leading to https://example.com/elsewhere',
    );
    expect(out).toContain('conflict: line 5, slug "twice": lines 4 and 5 lead to different places');
    expect(out).toContain('refused: line 8, slug "under_score": a slug must consist of');
    expect(out).toContain('refused: line 9, slug "nowhere": the row leads nowhere');
    expect(out).toContain('refused: line 10, slug "script": where it leads must be a URL');
    expect(out).toContain(
      'refused: line 12, slug "API": makeready keeps this word for addresses of its own; give it another slug',
    );
    expect(out).toMatch(/2 links made\n {2}failed: line 11, slug "theirs": /u);
    const made = (await listLinks()).map(({ slug, link }) => `${slug} ${link}`);
    expect(made.toSorted()).toEqual([
      "good https://example.com/good",
      "same https://example.com",
      "taken https://example.com/elsewhere",
    ]);
  });

  it("makes no link twice whose answer was lost, on a server elsewhere", async () => {
    let sent = 0;
    const through = fetchTransport(async (request) => {
      const answer = await service.fetch(request);
      const isCreate = request.method === "POST";
      sent += isCreate ? 1 : 0;
      // Both are made; the answer to the first is lost, the second gets another one.
      if (isCreate && sent === 1) throw new Error("socket hang up");
      return isCreate && sent === 2 ? new Response("busy", { status: 502 }) : answer;
    });
    const file = write("slug,destination\none,https://example.com/1\ntwo,https://example.com/2\n");
    const env = {
      MAKEREADY_BASE_URL: "http://service.test/api/v2",
      MAKEREADY_TOKEN: service.account.token,
      MAKEREADY_WORKSPACE: service.workspace,
    };
    const options = { cwd: folder, env, transport: through };
    const { code, out } = await runInProcess(["import-links", file, "--yes"], options);
    expect([code, out.includes("2 links made")]).toEqual([0, true]);
    expect((await listLinks()).map(({ slug }) => slug)).toEqual(["two", "one"]);
    expect(sent).toBe(2);
  });

  it("takes columns by the names that a person gives", async () => {
    const file = write("Kürzel,Ziel,Seite\nabc,https://example.com/,Start\n");
    const asked = await type(file);
    expect([asked.code, asked.err]).toEqual([
      2,
      expect.stringContaining("a column with the slug or the short link, got Kürzel, Ziel, Seite"),
    ]);
    const columns = ["slug=Kürzel", "destination=Ziel", "title=Seite"];
    const named = columns.flatMap((one) => ["--column", one]);
    expect((await type(file, "--yes", ...named)).code).toBe(0);
    expect(await listLinks()).toMatchObject([{ slug: "abc", display_name: "Start" }]);
    const wrong = await type(file, "--column", "slug=Kurzel");
    expect(wrong.err).toContain('did you mean "Kürzel"?');
    expect((await type(file, "--column", "Kürzel")).err).toContain("must be written ROLE=HEADER");
  });
});

it("keeps the address that it is given, and refuses another one once links have it, as run does", async () => {
  const file = write("slug,destination\nsale,https://example.com/sale\n");
  const own = path.join(folder, "data-address");
  const ask = (...argv: string[]) =>
    runInProcess(["import-links", file, "--data", own, ...argv], { cwd: folder });
  const first = await ask("--public-url", "https://one.example", "--yes");
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain("as https://one.example/SLUG");
  expect((await ask("--yes")).out).toContain("as https://one.example/SLUG");
  const other = await ask("--public-url", "https://two.example", "--yes");
  expect(other.code).toBe(2);
  expect(other.err).toContain("the public address must be https://one.example");
  expect(other.err).toContain(`serve --data ${own} --change-public-url https://two.example`);
});

describe("of a workbook", () => {
  const unsaved = { xml: "<c><f>A1</f></c>" };

  it("takes the address behind a cell, and warns of it and of hidden rows", async () => {
    const file = book([
      {
        rows:
          row(1, ["slug", "destination"]) +
          row(2, ["one", "https://example.com/shown"]) +
          row(3, ["two", "https://example.com/two"], ' hidden="1"') +
          row(4, [unsaved, "https://example.com/three"]),
        after: '<hyperlinks><hyperlink ref="B2" r:id="r1"/></hyperlinks>',
        links: { r1: "https://example.com/realtarget" },
      },
    ]);
    const { code, out, err } = await type(file, "--yes");
    expect(code).toBe(3);
    expect((await listLinks()).map(({ slug, link }) => [slug, link])).toEqual([
      ["two", "https://example.com/two"],
      ["one", "https://example.com/realtarget"],
    ]);
    expect(err).toContain("a cell shows another text than its link");
    expect(err).toContain("1 hidden row is read like the others");
    expect(out).toContain("its formula was never calculated");
    const { out: json } = await type(file, "--json", "--yes");
    expect(json).toContain('"type":"warning"');
  });

  it("says what is wrong with a cell of custom links that stand alone", async () => {
    const file = book([
      {
        rows:
          row(1, ["custom_bitlinks", "long_url"]) + row(2, [unsaved, "https://example.com/three"]),
      },
    ]);
    const { code, out } = await type(file);
    expect([code, out]).toEqual([3, expect.stringContaining("its formula was never calculated")]);
  });

  it("takes the columns that a person names, also beside others of usual names", async () => {
    const file = write(
      "slug,Code,url,Target\nbad,one,https://example.com/no,https://example.com/1\n",
    );
    const chosen = ["--column", "slug=Code", "--column", "destination=Target"];
    expect(await type(file, ...chosen, "--yes")).toMatchObject({ code: 0, err: "" });
    expect(await listLinks()).toMatchObject([{ slug: "one", link: "https://example.com/1" }]);
  });

  it("reads the sheet with the list, not its cover", async () => {
    const file = book([
      { ...textSheet([["Our links"], ["of 2024"]]), name: "Cover" },
      {
        ...textSheet([
          ["slug", "destination"],
          ["one", "https://example.com/1"],
          ["two", "https://example.com/2"],
        ]),
        name: "Links",
      },
    ]);
    expect(await type(file, "--yes")).toMatchObject({ code: 0 });
    expect(await listLinks()).toHaveLength(2);
  });
});

it("keeps e-mail links byte for byte, and finds them again", async () => {
  const address = "mailto:jürgen@küche.example?subject=Tisch%204&body=Grüße";
  const file = write(
    `slug,destination\nmail,${address}\nblank,mailto:a@b.example?subject=Tisch 4\n`,
  );
  const first = await type(file, "--yes");
  expect(first.out + first.err).toMatch(/line 3.*must be|line 3.*where it leads must be a URL/su);
  expect(await listLinks()).toMatchObject([{ slug: "mail", link: address }]);
  const again = await type(file, "--yes");
  expect(await listLinks()).toMatchObject([{ slug: "mail", link: address }]);
  expect(again.out + again.err).toMatch(/1 .*(?:there|already)/u);
});
