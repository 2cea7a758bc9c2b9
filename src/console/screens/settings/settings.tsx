/** Tokens, webhooks, assistants, limits, sessions. */
import { webhookEventNames, type WebhookEvent } from "../../../api/webhook.ts";
import type { ReceiverChange } from "../../../service/owner/owner.ts";
import { OwnRefusal } from "../../refusal.ts";
import { PostForm, reply } from "../../view/page.tsx";
import { countIn, Facts, Go } from "../../view/parts.tsx";
import {
  asCall,
  field,
  fields,
  leadTo,
  type Answer,
  param,
  type Screen,
  type Visit,
} from "../../visit.ts";
import { Assistants } from "./assistants.tsx";
import { Limits } from "./limits.tsx";
import { Tokens } from "./tokens.tsx";
import { Webhooks } from "./webhooks.tsx";

/** The status of a refusal because of what is there already. */
const CONFLICT = 409;
const DAY_MS = 86_400_000;

async function Sessions({ visit }: { readonly visit: Visit }) {
  const { words, service, session } = visit;
  const { settings: said } = words;
  const count = await service.countSessions(session);
  return (
    <>
      <h2 id="sessions">{said.sessions}</h2>
      <p>{said.sessionsText(countIn(words)(count))}</p>
      <PostForm visit={visit} action="/sign-out-everywhere">
        <button>{said.everywhere}</button>
        <p class="soft">{said.everywhereHint}</p>
      </PostForm>
    </>
  );
}

async function showSettings(visit: Visit): Promise<Response> {
  const { words, service, arrival, session, home } = visit;
  const { settings: said } = words;
  const tokens = await Tokens({ visit });
  const limits = await Limits({ visit });
  // Webhooks and assistants need a service that keeps running.
  const running =
    home === undefined
      ? { webhooks: await Webhooks({ visit }), assistants: await Assistants({ visit }) }
      : undefined;
  const sessions = home === undefined ? await Sessions({ visit }) : null;
  const children = (
    <>
      <h2>{said.where}</h2>
      <Facts
        facts={[
          ...(home === undefined
            ? [[said.apiUrl, <code>{service.apiUrl(arrival.request)}</code>] as const]
            : []),
          [said.workspaceId, <code>{session.workspaceId}</code>],
          [said.publicUrl, <code>{service.publicUrl()}</code>],
        ]}
      />
      {tokens}
      {running?.webhooks}
      {running?.assistants}
      {limits}
      {home === undefined ? null : <p class="soft">{said.ofService}</p>}
      {sessions}
    </>
  );
  return reply(visit, { at: "settings", title: said.title, children });
}

/** Shown once and never again. No address leads back to it. */
function showOnce(visit: Visit, title: string, secret: string): Promise<Response> {
  const { words, base } = visit;
  const { settings: said } = words;
  const children = (
    <div class="banner good">
      <p>
        <code class="once">{secret}</code>
      </p>
      <p>
        <strong>{said.once}</strong>
      </p>
      <p>
        <Go href={`${base}/settings`} text={said.goOn} />
      </p>
    </div>
  );
  return reply(visit, { at: "settings", title, children });
}

const MAX_DAYS = 36_500;

async function makeToken(visit: Visit): Promise<Response> {
  const { owner, service, words } = visit;
  const written = field(visit, "days");
  const days = Number(written);
  if (written !== "" && !(days > 0 && days <= MAX_DAYS)) {
    return showSettings({
      ...visit,
      problems: [{ said: words.settings.badDays(countIn(words)(MAX_DAYS)) }],
    });
  }
  const made = await owner.makeToken({
    name: field(visit, "name"),
    access: field(visit, "access") === "read-only" ? "read-only" : "full",
    ...(written !== "" && { expiresMs: Math.round(service.nowMs() + days * DAY_MS) }),
  });
  return showOnce(visit, words.settings.onceTitle(made.name ?? ""), made.token);
}

const toSettings = (): string => "/settings";

const revokeToken = asCall(
  (visit) => visit.owner.revokeToken(field(visit, "token")),
  toSettings,
  "revoked",
);

const endGrant = asCall(
  (visit) => visit.owner.endGrant(field(visit, "grant")),
  toSettings,
  "ended",
);

async function addReceiver(visit: Visit): Promise<Response> {
  const { owner, session, words } = visit;
  const asked = fields(visit, "events");
  const events = webhookEventNames.filter((one): one is WebhookEvent => asked.includes(one));
  const wish = { url: field(visit, "url"), events };
  const double = await owner.findDouble(session.workspaceId, wish);
  if (double !== undefined) {
    const { isReported, isReportedByOperator } = words.settings;
    throw new OwnRefusal(CONFLICT, [
      { said: double.isOfOperator ? isReportedByOperator : isReported },
    ]);
  }
  const secret = await owner.addReceiver(session.workspaceId, wish);
  return showOnce(visit, words.settings.secretTitle, secret);
}

async function renewSecret(visit: Visit): Promise<Response> {
  const secret = await visit.owner.renewSecret(param(visit, "id"));
  return showOnce(visit, visit.words.settings.secretTitle, secret);
}

const changeReceiver = (what: ReceiverChange, done: string): Answer =>
  asCall((visit) => visit.owner.changeReceiver(param(visit, "id"), what), toSettings, done);

async function resend(visit: Visit): Promise<Response> {
  const isSent = await visit.owner.resend(param(visit, "id"), Number(field(visit, "report")));
  return leadTo(visit, "/settings", isSent ? "resent" : "forgotten");
}

const again = showSettings;

export const settings: Screen = {
  get: { "/settings": showSettings },
  post: {
    "/settings/tokens": { take: makeToken, again },
    "/settings/tokens/revoke": { take: revokeToken, again },
    "/settings/assistants/revoke": { take: endGrant, again },
    "/settings/webhooks": { take: addReceiver, again },
    "/settings/webhooks/:id/secret": { take: renewSecret, again },
    "/settings/webhooks/:id/test": { take: changeReceiver("test", "tested"), again },
    "/settings/webhooks/:id/resume": { take: changeReceiver("resume", "resumed"), again },
    "/settings/webhooks/:id/remove": { take: changeReceiver("remove", "removed"), again },
    "/settings/webhooks/:id/resend": { take: resend, again },
  },
};
