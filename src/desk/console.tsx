/**
 * The console of the codes that jobs of this folder make: the screens that `makeready serve` has under
 * `/console/`, on the data folder itself. The desk signs in for its reader, whose cookie is the desk's own.
 */
import { existsSync } from "node:fs";
import path from "node:path";

import type { Hono } from "hono";

import { makeConsoleIn } from "../console/console.tsx";
import { SESSION_COOKIE } from "../console/guard.ts";
import { LANGUAGE_COOKIE } from "../console/words/words.ts";
import type { ConsoleHome } from "../console/home.ts";
import { writeNewFileAtomic } from "../base/files/atomic-file.ts";
import { limits } from "../api/limits.ts";
import { pageEndpoints } from "../api/page-endpoints.ts";
import { settings } from "../base/settings.ts";
import { DEFAULT_PUBLIC_URL, toDataDir } from "../pipeline/address/server.ts";
import { embeddedPort } from "../service/embedded/embedded.ts";
import type { ConsoleService } from "../service/owner/port.ts";
import type { MakeConsole, Service } from "../service/service.ts";
import type { DeskContext } from "./context.ts";
import { resolveInside } from "./folder.ts";
import { jobPath, replyPage } from "./view/page.tsx";
import { en } from "./words/en.ts";
import { languages, wordsFor } from "./words/words.ts";

const STORE = "service.db";
const MOST_NAMES = 1000;
const MOST_FORM_PAGES = 20;
const FORMS = `/api/v2${pageEndpoints.listForms.path}`;

interface FormPage {
  readonly results: readonly { readonly id: string; readonly response_count: number }[];
  readonly next: string | null;
}

/** Writes a job under a name that is free. */
const saveJob =
  ({ folder }: DeskContext): ConsoleHome["saveJob"] =>
  async (stem, write) => {
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? stem : `${stem}-${n}`;
      const manifest = await resolveInside(folder, `${name}.yaml`);
      const list = await resolveInside(folder, `${name}.csv`);
      if (n < MOST_NAMES && (existsSync(manifest) || existsSync(list))) continue;
      const texts = await write(name);
      if (texts.list !== undefined) await writeNewFileAtomic(list, texts.list);
      await writeNewFileAtomic(manifest, texts.manifest);
      return `${jobPath(`${name}.yaml`)}/plan`;
    }
  };

interface Opened {
  readonly service: Service;
  readonly publicUrl: string;
  /** The session that the desk signs in with. */
  readonly secret: () => Promise<string>;
}

const nameIn = (language: string): string => (languages[language] ?? en).common.desk;

/** Opens the data folder on the first request; jobs use it meanwhile. */
class DeskConsole {
  readonly #desk: DeskContext;
  readonly #dataDir: string;
  #opening: Promise<Opened> | undefined;

  constructor(desk: DeskContext) {
    this.#desk = desk;
    this.#dataDir = toDataDir(path.join(desk.folder, "job.yaml"));
  }

  get hasCodes(): boolean {
    return existsSync(path.join(this.#dataDir, STORE));
  }

  /** Throws `bad-usage` where the store was moved into a database: its codes are not gone. */
  async refuseMoved(): Promise<void> {
    await embeddedPort.address(this.#dataDir);
  }

  async answer(request: Request, language: string): Promise<Response> {
    const { service, secret } = await this.#opened();
    const headers = new Headers(request.headers);
    headers.set("cookie", `${SESSION_COOKIE}=${await secret()}; ${LANGUAGE_COOKIE}=${language}`);
    const { method, body } = request;
    const sent = new Request(request.url, { method, headers, body, duplex: "half" });
    const answer = await service.fetch(sent);
    // The browser must not see its session.
    answer.headers.delete("set-cookie");
    return answer;
  }

  /**
   * How many responses these forms have; undefined for forms of another data folder, and where the folder
   * holds too many to count while somebody waits.
   */
  async countAnswers(dataDir: string, forms: ReadonlySet<string>): Promise<number | undefined> {
    if (!this.hasCodes || dataDir !== this.#dataDir) return undefined;
    const { service } = await this.#opened();
    const { token, workspaceId } = service.account;
    let count = 0;
    for (let page = 1; page <= MOST_FORM_PAGES; page += 1) {
      const query = new URLSearchParams({
        workspace: workspaceId,
        page: String(page),
        page_size: String(limits.maxFormPageSize),
      });
      const address = `http://127.0.0.1${FORMS}?${query.toString()}`;
      const headers = { authorization: `Token ${token}` };
      const answer = await service.fetch(new Request(address, { headers }));
      if (!answer.ok) return undefined;
      const { results, next } = (await answer.json()) as FormPage;
      for (const { id, response_count: n } of results) count += forms.has(id) ? n : 0;
      if (next === null) return count;
    }
    return undefined;
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    await opened?.service.close();
  }

  /** A job may have given the folder another public address: codes are shown with the one they have. */
  async #opened(): Promise<Opened> {
    const { kept } = await embeddedPort.address(this.#dataDir);
    const publicUrl = kept ?? DEFAULT_PUBLIC_URL;
    const opened = await this.#opening;
    if (opened?.publicUrl === publicUrl) return opened;
    await this.close();
    // Another request may have begun to open it.
    const opening = this.#opening ?? this.#open(publicUrl);
    this.#opening = opening;
    return opening;
  }

  async #open(publicUrl: string): Promise<Opened> {
    const desk = this.#desk;
    const { clock, ids } = desk;
    const { openService } = await import("../service/service.ts");
    let port: ConsoleService | undefined;
    let secret = "";
    const console: MakeConsole = (given) => {
      port = given;
      const home = { href: "/", name: nameIn, saveJob: saveJob(desk) };
      return makeConsoleIn(home)(given);
    };
    const signIn = async (): Promise<string> => {
      if ((await port?.findSession(secret)) !== undefined) return secret;
      const request = new Request("http://127.0.0.1/console/sign-in");
      const visit = { request, ip: "", requestId: "" };
      const signed = await port?.signIn(service.account.token, visit);
      secret = signed !== undefined && "secret" in signed ? signed.secret : "";
      return secret;
    };
    const service: Service = await openService({
      dataDir: this.#dataDir,
      publicUrl,
      limits: "off",
      deliverWebhooks: false,
      drawingThreads: 0,
      clock,
      ids,
      console,
    });
    return { service, publicUrl, secret: signIn };
  }
}

/** Codes, and the pictures that they show. */
export function routeConsole(
  app: Hono,
  desk: DeskContext,
): Pick<DeskConsole, "close" | "countAnswers"> {
  const console = new DeskConsole(desk);
  for (const target of ["/console", "/console/*", "/media/*"]) {
    app.all(target, async (c) => {
      const words = wordsFor(c);
      if (console.hasCodes) return console.answer(c.req.raw, words.language);
      const { title, none, elsewhere } = words.codes;
      const { [settings.baseUrl.variable]: server } = desk.env;
      if (server === undefined) await console.refuseMoved();
      const children = (
        <>
          <h1>{title}</h1>
          <p>{server === undefined ? none : elsewhere(server)}</p>
        </>
      );
      return replyPage(c, { desk, title, children });
    });
  }
  return console;
}
