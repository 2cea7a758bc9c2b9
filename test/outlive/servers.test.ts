/** A bundle on a real nginx and Caddy: `npm run test:outlive`; skipped where they are not installed. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSqlite } from "../../src/base/sqlite/sqlite.ts";
import { fillFolder, openAt, post } from "../cli/full-workspace.ts";
import { runInProcess } from "../flow/in-process.ts";

const LINKS = Number(process.env["OUTLIVE"] ?? 0);
const root = mkdtempSync(path.join(os.tmpdir(), "makeready-servers-"));
const data = path.join(root, "data");
const bundle = path.join(root, "links");
const running: ChildProcess[] = [];

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, [program === "caddy" ? "version" : "-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const findPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function untilUp(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const answer = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    if (answer !== undefined) return;
  }
}

async function start(program: string, argv: string[], url: string): Promise<void> {
  const child = spawn(program, argv, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, HOME: root, RESOLVER_SITE: `:${new URL(url).port}` },
  });
  running.push(child);
  await untilUp(url, child);
}

async function startNginx(): Promise<string> {
  const port = await findPort();
  const rules = readFileSync(path.join(bundle, "nginx/makeready.conf"), "utf8");
  const own = path.join(root, "nginx");
  mkdirSync(own);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${own}/${name};`,
  );
  writeFileSync(
    path.join(own, "rules.conf"),
    rules.replace("listen 80;", `listen 127.0.0.1:${port};`),
  );
  writeFileSync(
    path.join(own, "nginx.conf"),
    `daemon off; pid ${own}/pid; user root; error_log stderr; events {} http { access_log off; ${temporary.join(" ")} include ${own}/rules.conf; }`,
  );
  const url = `http://127.0.0.1:${port}`;
  await start("nginx", ["-c", path.join(own, "nginx.conf"), "-e", "stderr"], url);
  return url;
}

async function startCaddy(): Promise<string> {
  const url = `http://127.0.0.1:${await findPort()}`;
  await start(
    "caddy",
    ["run", "--config", path.join(bundle, "Caddyfile"), "--adapter", "caddyfile"],
    url,
  );
  return url;
}

/** So many links, half of them written by SQL: their slugs differ by case alone. */
function addLinks(count: number): void {
  const db = openSqlite(path.join(data, "service.db"));
  const columns = db
    .all<{ name: string }>("SELECT name FROM pragma_table_info('codes')")
    .map(({ name }) => name);
  const own: Record<string, string> = {
    id: "'many-' || n",
    slug: "CASE n % 2 WHEN 0 THEN 'Many-' ELSE 'many-' END || (n / 2)",
    qr_data: "'https://example.com/many/' || n || '?a=$b&c=%20#f' || n",
    created: "created + 10000000 + n",
    gps_tracking: "0",
    vcard: "NULL",
  };
  const values = columns.map((name) => own[name] ?? name).join(", ");
  db.exec(`WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count + 1})
    INSERT INTO codes (${columns.join(", ")}) SELECT ${values} FROM numbers, (SELECT * FROM codes WHERE slug = 'Sale-1')`);
  db.close();
}

describe.skipIf(LINKS === 0)("a bundle on a real server", () => {
  beforeAll(async () => {
    await fillFolder(data);
    const service = await openAt(data);
    const product = await post(service, "/gs1/products/", {
      identifier_value: "09506000134369",
      destination_url: "https://example.com/cheese?kind=blue#top",
    });
    await post(service, `/gs1/products/${product.id}/links/`, {
      link_type: "gs1:instructions",
      title: "About",
      destination_url: "https://example.com/about",
    });
    await service.code({
      qr_type: "vCard",
      qr_data: undefined,
      dynamic: true,
      vcard: { first_name: "Ada" },
    });
    await service.close();
    addLinks(LINKS);
    const done = await runInProcess([
      "export-resolver",
      bundle,
      "--data",
      data,
      "--public-url",
      "https://go.example",
    ]);
    if (done.code !== 0) throw new Error(done.err);
  });
  afterAll(() => {
    for (const child of running) child.kill();
    rmSync(root, { recursive: true, force: true });
  });

  const servers = { nginx: startNginx, caddy: startCaddy };
  describe.each(Object.entries(servers))("%s", (name, begin) => {
    it.skipIf(!isInstalled(name))("answers as the service does", async () => {
      const url = await begin();
      const { code, out } = await runInProcess(["drill", bundle, "--data", data, "--at", url]);
      expect(out).toContain("0 led on by a page, 0 differences");
      expect(code).toBe(0);
      const ask = (target: string, accept = "*/*") =>
        fetch(`${url}${target}`, { redirect: "manual", headers: { accept } });
      // A query is handed on, before the fragment; a short link hands nothing on.
      const asked = await ask("/01/09506000134369?17=261231&a=b");
      expect(asked.headers.get("location")).toBe(
        "https://example.com/cheese?kind=blue&17=261231&a=b#top",
      );
      expect((await ask("/Sale-1?x=1")).headers.get("location")).toBe("https://example.com/sale");
      expect((await ask("/SALE-1")).status).toBe(404);
      expect((await ask("/01/09506000134369?linkType=gs1:recipeInfo")).status).toBe(404);
      const linkset = await ask("/01/09506000134369", "application/linkset+json");
      expect(linkset.headers.get("content-type")).toBe("application/linkset+json");
      expect(JSON.stringify(await linkset.json())).toContain("https://example.com/about");
      const full = encodeURIComponent("https://gs1.org/voc/instructions");
      expect((await ask(`/01/09506000134369?linkType=${full}`)).headers.get("location")).toMatch(
        /^https:\/\/example\.com\/about/u,
      );
      expect((await ask("/nothing-here")).status).toBe(404);
      expect((await ask("/Sale-1/10/A")).status).toBe(404);
      if (name !== "nginx") return;
      // This serial number isn't registered: the product answers.
      const serial = await ask("/01/09506000134369/10/LOT/21/7?a=b");
      expect(serial.headers.get("location")).toBe("https://example.com/cheese?kind=blue&a=b#top");
      expect((await ask("/../../etc/hosts?linkType=linkset")).status).toBe(404);
    });
  });
});
