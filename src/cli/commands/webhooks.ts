/** Receivers of a service's webhooks, kept on its data folder. */
import { randomBytes } from "node:crypto";

import { closing } from "../../base/flow/closing.ts";
import { badUsage } from "../../base/errors.ts";
import { hidePassword } from "../../base/text/hide-password.ts";
import { formatMany } from "../../base/text/words.ts";
import { AccountBook, type AccountFacts } from "../../service/auth/account-book.ts";
import { openExistingStore } from "../../service/store/existing-store.ts";
import { parseEvents, type WebhookStatus } from "../../service/webhooks/receivers.ts";
import { makeWebhookControl, type WebhookControl } from "../../service/webhooks/webhooks.ts";
import { findAction, refuseUnused, type Actions, type Call } from "../call.ts";
import { readSetting, requireDataDir, withSameData } from "../settings.ts";

interface Task {
  readonly call: Call;
  readonly webhooks: WebhookControl;
  readonly accounts: readonly AccountFacts[];
}

const MIN_PREFIX = 4;

function requireSecond({ call }: Task, what: string): string {
  if (call.input.second !== undefined) return call.input.second;
  throw badUsage(`${what} must be named, got none`);
}

/** The one that is named, else the first of the default account. */
function readWorkspace({ call, accounts }: Task): string {
  const all = accounts.flatMap(({ workspaces }) => workspaces);
  const named = call.text("workspace");
  const found =
    named === undefined
      ? accounts.find(({ name }) => name === "default")?.workspaces[0]
      : all.find(({ id }) => id === named);
  if (found !== undefined) return found.id;
  throw badUsage(
    `--workspace must be one of this service, got ${named}`,
    "makeready accounts lists them with their ids",
  );
}

async function findReceiver(task: Task): Promise<WebhookStatus> {
  const id = requireSecond(task, "the receiver");
  const all = await task.webhooks.list();
  const found = all.filter(
    (one) => one.id === id || (id.length >= MIN_PREFIX && one.id.startsWith(id)),
  );
  const [receiver] = found;
  if (receiver !== undefined && found.length === 1) return receiver;
  throw badUsage(
    `the receiver must be named by its id, got ${id}`,
    "makeready webhooks lists them",
  );
}

/** Whose events it gets; where there is one workspace only, that needs no word. */
function listWorkspace(accounts: readonly AccountFacts[], id: string): string[] {
  const all = accounts.flatMap(({ name: account, workspaces }) =>
    workspaces.map((one) => ({ ...one, account })),
  );
  if (all.length < 2) return [];
  return all
    .filter((one) => one.id === id)
    .map(({ name, account }) => `  workspace ${name} of the account ${account} (${id})`);
}

function listReceiver(receiver: WebhookStatus, accounts: readonly AccountFacts[]): string[] {
  const { id, url, events, paused, waiting, deliveries } = receiver;
  const [last] = deliveries;
  const state = paused === null ? "" : `, paused since ${paused}`;
  const outcome = last === undefined ? "none yet" : (last.fault ?? "received");
  return [
    `receiver ${id}: ${events.join(", ")}${state}`,
    `  ${url}`,
    ...listWorkspace(accounts, receiver.workspaceId),
    `  ${formatMany(waiting, "report")} waiting, last delivery: ${outcome}`,
  ];
}

async function list(task: Task): Promise<void> {
  const named = task.call.text("workspace");
  const workspace = named === undefined ? undefined : readWorkspace(task);
  const receivers = await task.webhooks.list(workspace);
  if (receivers.length === 0 && !task.call.isJson) task.call.say("no receivers");
  for (const receiver of receivers) {
    const { deliveries, ...facts } = receiver;
    const last = deliveries[0] ?? null;
    const url = hidePassword(receiver.url);
    const lines = listReceiver({ ...receiver, url }, task.accounts);
    task.call.tell("receiver", { ...facts, url, last }, ...lines);
  }
}

/** A secret of ours is shown here and nowhere else. */
async function add(task: Task): Promise<void> {
  const { call } = task;
  const given = call.text("secret");
  const secret = given ?? randomBytes(32).toString("hex");
  const events = parseEvents(call.text("events") ?? "scan");
  const url = requireSecond(task, "the receiver's address");
  const workspace = readWorkspace(task);
  const id = await task.webhooks.add(workspace, { url, secret, events, trusted: true });
  const shown = given === undefined ? { secret } : {};
  const lines =
    given === undefined ? [`  secret ${secret}`, "Keep it now: it is not shown again."] : [];
  const receiver = { id, url, events, workspaceId: workspace, ...shown };
  call.tell("receiver", receiver, `receiver ${id}: ${events.join(", ")}`, ...lines);
}

async function remove(task: Task): Promise<void> {
  const { id, waiting } = await findReceiver(task);
  await task.webhooks.remove(id);
  const lost = formatMany(waiting, "report");
  const says = `receiver ${id} is gone, with ${lost} that waited for it`;
  task.call.tell("removed", { id, waiting }, says);
}

async function resume(task: Task): Promise<void> {
  const { id } = await findReceiver(task);
  await task.webhooks.resume(id);
  task.call.tell("resumed", { id }, `receiver ${id} goes on with the next report`);
}

const actions: Actions<(task: Task) => Promise<void>> = { list, add, remove, resume };

export async function webhooks(call: Call): Promise<void> {
  const { context } = call;
  const action = findAction(call, actions);
  refuseUnused(call, { events: ["add"], secret: ["add"], workspace: ["list", "add"] });
  const folder = requireDataDir(call);
  await closing(
    await openExistingStore(folder, readSetting(call, "store")?.text, action === list),
    async (store) => {
      const control = makeWebhookControl({ ...context, store, plan: {} });
      const accounts = await new AccountBook({ ...context, store, folder }).list();
      await action({ call, webhooks: control, accounts });
    },
  ).catch((error: unknown) => {
    throw withSameData(call, error);
  });
}
