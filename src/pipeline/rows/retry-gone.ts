/** A retry makes codes anew that the server no longer has, once it is known whose job it is. */
import type { Problem } from "../../base/errors.ts";
import { inParts } from "../../base/flow/parts.ts";
import { cutKey, formatMany } from "../../base/text/words.ts";
import type { StateRow } from "../../state/row.ts";
import type { State } from "../../state/state.ts";
import type { ServerChoice } from "../address/server.ts";
import { findVoid, listKeys, lookForAll, SHOWN, type GoneOrder } from "./gone-codes.ts";
import type { Ports } from "../ports.ts";
import type { RowParts } from "./row-parts.ts";
import { takeBackFound } from "./found-again.ts";
import { refuseOtherSerials } from "./serial-origin.ts";
import { refuseOtherJob } from "./whose-state.ts";

interface LeftPage {
  readonly key: string;
  readonly url: string;
  /** It has the slug that its row names, which no other page can have. */
  readonly hasSlug: boolean;
}

/** Codes of a retry that begin anew. */
interface Forgotten {
  readonly keys: readonly string[];
  /** Those of them whose forms are there, and get new codes. */
  readonly forms: readonly string[];
  /** Those of them whose pages are there: others are made, as a page gets no new code. */
  readonly pages: readonly LeftPage[];
  /** Rows whose codes are gone and void: they get none. */
  readonly voided: readonly string[];
  /** For a run that is refused. */
  readonly takeBack: () => void;
}

/** The rows of these keys whose pages or forms are there without their codes. */
async function findHosted(
  keys: readonly string[],
  { dataDir }: ServerChoice,
  { ports, state }: { readonly ports: Ports; readonly state: State },
): Promise<StateRow[]> {
  const found: StateRow[] = [];
  for (const some of inParts(keys)) {
    const rows = some.flatMap((key) => state.row(key) ?? []);
    const asked = rows.filter(({ wanted }) => (wanted.form ?? wanted.page) !== undefined);
    const ids = asked.flatMap(({ remoteId }) => remoteId ?? []);
    const there = await ports.server.hosted(dataDir, ids);
    found.push(...asked.filter(({ remoteId }) => there.has(remoteId ?? "")));
  }
  return found;
}

/**
 * Of a retry: rows whose codes the embedded service no longer has begin anew, but for void ones; what its data
 * folder holds is certain. A remote server may only say that it has none: its codes would be made twice.
 */
async function forgetGone(
  order: GoneOrder,
  at: { readonly ports: Ports; readonly state: State },
): Promise<Forgotten> {
  const { ports, state } = at;
  const { server } = order;
  const all = server.baseUrl === undefined ? (await lookForAll(state, server, ports)).keys : [];
  const voided = findVoid(order, all, state);
  const keys = all.filter((key) => !voided.has(key));
  const hosted = await findHosted(keys, server, at);
  const forms = hosted.filter(({ wanted }) => wanted.form !== undefined).map(({ key }) => key);
  const pages = hosted.flatMap(({ key, parts: { url = "" }, wanted }) =>
    wanted.page === undefined ? [] : [{ key, url, hasSlug: wanted.page.slug !== null }],
  );
  const now = new Date(ports.clock.nowMs()).toISOString();
  const kept = new Set(forms);
  const back = keys.map((key) =>
    kept.has(key) ? state.retired.unpublished(key, now) : state.retired.gone(key, now),
  );
  const takeBack = (): void => {
    for (const one of back) one();
  };
  return { keys, forms, pages, voided: all.filter((key) => voided.has(key)), takeBack };
}

/** What a retry makes anew. */
const sayForgotten = (keys: readonly string[]): Problem => ({
  message: `the service no longer has ${formatMany(keys.length, "code")} of this job, ${listKeys(keys)}: a retry makes ${keys.length === 1 ? "it" : "them"} anew`,
  hint: "printed labels of them stay dead",
});

function sayPages(pages: readonly LeftPage[]): Problem[] {
  if (pages.length === 0) return [];
  const one = pages.length === 1;
  const urls = pages.slice(0, SHOWN).map(({ key, url }) => `${cutKey(key)} at ${url}`);
  const more = pages.length > SHOWN ? " and others" : "";
  const makes = one ? "another page" : "other pages";
  const hint = pages.some(({ hasSlug }) => hasSlug)
    ? `a slug that ${one ? "it has" : "they have"} stays taken: write another one into the row`
    : `${one ? "it answers" : "they answer"} at the old ${one ? "address" : "addresses"} as before`;
  return [
    {
      message: `${formatMany(pages.length, "page is", "pages are")} still there, ${urls.join(", ")}${more}: a page gets no new code, so a retry makes ${makes}`,
      hint,
    },
  ];
}

/** What becomes of their pages and forms, and of void codes. */
function sayLeft({ forms, pages, voided }: Omit<Forgotten, "takeBack">): Problem[] {
  return [
    ...(forms.length === 0
      ? []
      : [
          {
            message: `${formatMany(forms.length, "form is", "forms are")} still there, ${listKeys(forms)}: ${forms.length === 1 ? "it gets a new code, and keeps its" : "they get new codes, and keep their"} answers`,
          },
        ]),
    ...sayPages(pages),
    ...(voided.length === 0
      ? []
      : [
          {
            message: `${formatMany(voided.length, "code is", "codes are")} void and gone, ${listKeys(voided)}: a retry makes none anew`,
          },
        ]),
  ];
}

type Retried = Pick<RowParts, "job" | "server" | "state" | "source"> & {
  readonly retryFailed?: boolean | undefined;
};

const NOTHING: Forgotten = {
  keys: [],
  forms: [],
  pages: [],
  voided: [],
  takeBack: () => undefined,
};

async function forgetIfRetried(
  { job, server, state, source, retryFailed }: Retried,
  ports: Ports,
): Promise<Forgotten> {
  if (retryFailed !== true) return NOTHING;
  refuseOtherJob(state, job);
  refuseOtherSerials(state, source);
  return forgetGone({ job, server }, { ports, state });
}

/** Says which codes are made anew and which are back; answers what takes the first back, for a run that is refused. */
export async function settleGone(retried: Retried, ports: Ports): Promise<() => void> {
  const forgotten = await forgetIfRetried(retried, ports);
  const { keys, takeBack } = forgotten;
  try {
    const again = await takeBackFound(retried.server, retried.state, ports);
    const anew = keys.filter((key) => !again.keys.has(key));
    const said = anew.length === 0 ? [] : [sayForgotten(anew)];
    const left = sayLeft(forgotten);
    for (const problem of [...said, ...left, ...again.warnings])
      ports.on({ type: "warning", problem });
  } catch (error) {
    takeBack();
    throw error;
  }
  return takeBack;
}
