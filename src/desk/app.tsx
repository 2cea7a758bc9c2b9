/** Which path leads to which screen. */
import path from "node:path";

import { Hono, type Context, type MiddlewareHandler } from "hono";
import { setCookie } from "hono/cookie";

import { toDiskError } from "../base/files/disk-error.ts";
import { AppError, toMessage } from "../base/errors.ts";
import { isUrl } from "../base/text/url.ts";
import { MCP_PATH } from "../service/addresses.ts";
import { routeAssets } from "./assets.ts";
import { routeConsole } from "./console.tsx";
import { refuseAssistant, routeMcp } from "./mcp/endpoint.ts";
import { routeRender } from "./render.ts";
import { limitForm } from "./body-limits.ts";
import type { DeskContext, Screen } from "./context.ts";
import { home } from "./screens/home.tsx";
import { label } from "./screens/label/label.tsx";
import { newJob } from "./screens/new/new.tsx";
import { isNewFilePath, limitUpload, UPLOAD_PATH } from "./screens/new/uploads.ts";
import { plan } from "./screens/plan/plan.tsx";
import { printer } from "./screens/printer/printer.tsx";
import { result } from "./screens/result/result.tsx";
import { run } from "./screens/run/run.tsx";
import { scan } from "./screens/scan/scan.tsx";
import { isScanPath, limitPictures } from "./screens/scan/sent-pictures.ts";
import { schedule } from "./screens/schedule/schedule.tsx";
import { makeGuard, type Keys, type Refused } from "./security.ts";
import { programOf, replyPage, Sentence } from "./view/page.tsx";
import { Fault } from "./view/problems.tsx";
import { LANGUAGE_COOKIE, languages, wordsFor, type Words } from "./words/words.ts";
import { Go } from "../console/view/parts.tsx";

const screens: readonly Screen[] = [
  home,
  newJob,
  label,
  printer,
  plan,
  run,
  result,
  scan,
  schedule,
];

const YEAR_S = 31_536_000;

/** Back to the page that the form stood on; never elsewhere. */
function backPath(c: Context): string {
  const from = c.req.header("referer");
  if (from === undefined || !isUrl(from)) return "/";
  const { host, pathname, search } = new URL(from);
  // Two slashes would begin the name of another host.
  const own = pathname.replace(/^\/+/u, "/");
  return host === c.req.header("host") ? `${own}${search}` : "/";
}

function routeLanguage(app: Hono): void {
  app.post("/language", async (c) => {
    const to = (await c.req.parseBody())["to"];
    if (typeof to === "string" && Object.hasOwn(languages, to)) {
      setCookie(c, LANGUAGE_COOKIE, to, { path: "/", sameSite: "Strict", maxAge: YEAR_S });
    }
    return c.redirect(backPath(c), 303);
  });
}

const JOB = "/job/:manifest";

/** The page that a form stands on; of one whose address is below no page, that of the job's result. */
function pageOf(posted: string, shown: ReadonlySet<string>): string {
  if (shown.has(posted)) return posted;
  return posted === JOB ? `${JOB}/result` : pageOf(path.posix.dirname(posted), shown);
}

/**
 * A page that answers what a form has sent has that form's address: who loads it again, or changes
 * the language there, is led to the page of the form.
 */
function routePosted(app: Hono): void {
  const listPaths = (wanted: string): string[] =>
    app.routes
      .filter((one) => one.method === wanted && /^\/(?:new|job|task)\b/u.test(one.path))
      .map((one) => one.path);
  const shown = new Set(listPaths("GET"));
  for (const posted of listPaths("POST").filter((one) => !shown.has(one))) {
    const page = pageOf(posted, shown);
    app.get(posted, (c) => {
      const { pathname } = new URL(c.req.url);
      const own = pathname.split("/");
      const to = page.split("/").map((part, at) => (part.startsWith(":") ? own[at] : part));
      return c.redirect(to.join("/"), 303);
    });
  }
}

function limitFor(asked: string): MiddlewareHandler {
  if (asked === UPLOAD_PATH || isNewFilePath(asked)) return limitUpload;
  return isScanPath(asked) ? limitPictures : limitForm;
}

interface WayProps {
  readonly words: Words;
  /** The address of the page with the form that was sent. */
  readonly back?: string | undefined;
}

/** The way on from a page that could not be shown. */
const ToJobs = ({ words, back }: WayProps) => (
  <p class="actions">
    {back === undefined ? null : <Go href={back} text={words.refused.back} />}
    <Go href="/" text={words.refused.toJobs} />
  </p>
);

/** Forms of jobs are sent to the address of their page, or to one that leads there. */
function formOf({ req }: Context): string | undefined {
  const { pathname } = new URL(req.url);
  return req.method === "POST" && /^\/(?:new|job|task)\//u.test(pathname) ? pathname : undefined;
}

/** Without a session, a page gets no link on. */
const hasSession = (why: Refused | "missing"): boolean => why === "missing" || why === "origin";

interface AppOptions {
  readonly keys: Keys;
  readonly port: () => number;
}

export function makeApp(
  desk: DeskContext,
  { keys, port }: AppOptions,
): { readonly app: Hono; readonly openPath: string; readonly close: () => Promise<void> } {
  const refuse = (c: Context, why: Refused | "missing") => {
    if (c.req.path === MCP_PATH && why !== "missing")
      return refuseAssistant(c, why, programOf(desk));
    const words = wordsFor(c);
    const { refused } = words;
    const title = refused.title;
    const children = (
      <>
        <h1>{title}</h1>
        <p role="alert">
          <Sentence text={refused[why]} />
        </p>
        {hasSession(why) ? <ToJobs words={words} /> : null}
      </>
    );
    return replyPage(c, { desk, title, children }, why === "missing" ? 404 : 403);
  };
  const guard = makeGuard({ keys, port, style: desk.assets.style, refuse });
  const app = new Hono();
  app.use(guard.middleware);
  // Its forms have their own limits.
  const console = routeConsole(app, desk);
  routeRender(app, desk);
  routeMcp(app, desk);
  app.use((c, next) => limitFor(c.req.path)(c, next));
  routeAssets(app, desk.assets);
  routeLanguage(app);
  // One for all screens: what they note of a desk is kept by it.
  const shared = { ...desk, countAnswers: console.countAnswers.bind(console) };
  for (const screen of screens) screen(app, shared);
  routePosted(app);
  app.notFound((c) => refuse(c, "missing"));
  app.onError((error, c) => {
    const words = wordsFor(c);
    const { refused } = words;
    const known = error instanceof AppError ? error : toDiskError(error);
    const { code, message, hint, problems } =
      known ?? new AppError("bug", toMessage(error), { hint: refused.bug });
    const children = (
      <>
        <h1>{refused.failed}</h1>
        <Fault words={words} fault={{ code, message, hint, problems }} />
        <ToJobs words={words} back={formOf(c)} />
      </>
    );
    return replyPage(c, { desk, title: refused.failed, children }, code === "bug" ? 500 : 400);
  });
  return { app, openPath: guard.openPath, close: () => console.close() };
}
