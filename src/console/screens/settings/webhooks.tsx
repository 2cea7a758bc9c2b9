/** Receivers of scans and form responses, and their deliveries. */
import { webhookEventNames } from "../../../api/webhook.ts";
import type { OwnReceiver } from "../../../service/owner/owner.ts";
import type { SentReport } from "../../../service/webhooks/sent.ts";
import { changing, Rows } from "../../view/list.tsx";
import { PostForm, Refused, Typed } from "../../view/page.tsx";
import { Careful, countIn, Moment } from "../../view/parts.tsx";
import { fields, type Visit } from "../../visit.ts";

interface Props {
  readonly visit: Visit;
  readonly receiver: OwnReceiver;
}

const pathOf = ({ id }: OwnReceiver): string => `/settings/webhooks/${encodeURIComponent(id)}`;

function State({ visit, receiver }: Props) {
  const { words } = visit;
  const { settings: said } = words;
  const count = countIn(words);
  const { paused, failuresInRow, waiting } = receiver;
  return (
    <p>
      {paused !== null ? (
        <span class="state bad">{said.paused}</span>
      ) : failuresInRow > 0 ? (
        <span class="state warn">{said.failing(count(failuresInRow))}</span>
      ) : (
        <span class="state good">{said.works}</span>
      )}{" "}
      {waiting === 0 ? null : said.waiting(count(waiting))}
    </p>
  );
}

const Sent = ({ visit, receiver }: Props) => {
  const { words } = visit;
  const { settings: said } = words;
  const count = countIn(words);
  if (receiver.sent.length === 0) return <p class="soft">{said.noDeliveries}</p>;
  return (
    <Rows
      label={`${said.deliveries}: ${receiver.url}`}
      items={receiver.sent}
      columns={[
        [said.created, ({ timeMs }) => <Moment words={words} at={timeMs} />, "word"],
        [said.event, ({ event }) => said.eventNames[event] ?? event],
        [
          said.status,
          ({ status, fault }) => (
            <>
              {status ?? "–"}{" "}
              {fault === null ? said.received : <Refused words={words} line={fault} />}
            </>
          ),
        ],
        [said.took, ({ tookMs }) => `${count(tookMs)} ms`, "word"],
        [said.tries, ({ attempt }) => count(attempt), "number"],
        ...changing<SentReport>(visit, [
          said.again,
          ({ id, canResend }) =>
            canResend ? (
              <PostForm visit={visit} action={`${pathOf(receiver)}/resend`}>
                <button class="small" name="report" value={String(id)}>
                  {said.again}
                </button>
              </PostForm>
            ) : null,
        ]),
      ]}
    />
  );
};

const Receiver = ({ visit, receiver }: Props) => {
  const { settings: said } = visit.words;
  const path = pathOf(receiver);
  const { isReadOnly } = visit.session.caller;
  return (
    <section class="card" aria-label={receiver.url}>
      <h3>{receiver.url}</h3>
      <p class="soft">
        {receiver.events.map((one) => said.eventNames[one] ?? one).join(", ")}
        {receiver.isOfOperator ? ` · ${said.ofOperator}` : ""}
      </p>
      <State visit={visit} receiver={receiver} />
      <div class="actions">
        <PostForm visit={visit} action={`${path}/test`}>
          <button class="small">{said.test}</button>
        </PostForm>
        {receiver.paused === null ? null : (
          <PostForm visit={visit} action={`${path}/resume`}>
            <button class="small">{said.resume}</button>
          </PostForm>
        )}
      </div>
      {isReadOnly || receiver.isOfOperator ? null : (
        <>
          <Careful title={said.renew}>
            <PostForm visit={visit} action={`${path}/secret`}>
              <p>{said.renewHint}</p>
              <button class="small">{said.renew}</button>
            </PostForm>
          </Careful>
          <Careful title={said.remove}>
            <PostForm visit={visit} action={`${path}/remove`}>
              <p>{said.removeHint}</p>
              <button class="small danger">{said.remove}</button>
            </PostForm>
          </Careful>
        </>
      )}
      <h4>{said.deliveries}</h4>
      <Sent visit={visit} receiver={receiver} />
    </section>
  );
};

export async function Webhooks({ visit }: { readonly visit: Visit }) {
  const { words, owner, session } = visit;
  const { settings: said } = words;
  const receivers = await owner.receivers(session.workspaceId);
  const isSent = visit.form.has("url");
  const ticked = fields(visit, "events");
  const { hasWebhooks } = await owner.use(session.workspaceId);
  return (
    <>
      <h2 id="webhooks">{said.webhooks}</h2>
      <p>{hasWebhooks ? said.webhooksText : said.noWebhooks}</p>
      {receivers.length === 0 ? <p>{said.noReceivers}</p> : null}
      {receivers.map((receiver) => (
        <Receiver visit={visit} receiver={receiver} />
      ))}
      {receivers.length === 0 ? null : <p class="soft">{said.kept}</p>}
      {hasWebhooks ? (
        <PostForm visit={visit} action="/settings/webhooks">
          <h3>{said.addReceiver}</h3>
          <Typed visit={visit} name="url" type="url" label={said.url} required />
          <fieldset>
            <legend>{said.events}</legend>
            {webhookEventNames.map((one) => (
              <label class="tick">
                <input
                  type="checkbox"
                  name="events"
                  value={one}
                  checked={isSent ? ticked.includes(one) : one === "scan"}
                />
                {said.eventNames[one] ?? one}
              </label>
            ))}
          </fieldset>
          <button>{said.makeReceiver}</button>
        </PostForm>
      ) : null}
    </>
  );
}
