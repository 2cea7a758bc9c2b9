/** Accounts, workspaces and tokens of a service, made and shown on its data folder. */
import { AppError } from "../../base/errors.ts";
import { duration, parseDuration } from "../../job/shapes/fields.ts";
import {
  openAccountBook,
  type AccountBook,
  type AccountFacts,
  type IssuedToken,
  type TokenFacts,
  type WorkspaceFacts,
} from "../../service/auth/account-book.ts";
import { readAction, readFlag, readText, type CliContext, type Input } from "../context.ts";
import { readSetting, requireDataDir } from "../settings.ts";

const DEFAULT_ACCOUNT = "default";
const DAY = /^\d{4}-\d{2}-\d{2}$/u;
/** So much of a token's id is shown; it is enough to name it. */
const SHOWN_ID = 8;

interface Task {
  readonly context: CliContext;
  readonly input: Input;
  readonly book: AccountBook;
}

/** `2026-11-20 08:00`, UTC. */
const toMoment = (iso: string): string => iso.slice(0, 16).replace("T", " ");

function readName({ input }: Task, what: string): string {
  if (input.second !== undefined) return input.second;
  throw new AppError("bad-usage", `${what} must be named, got none`, {
    hint: `makeready accounts ${input.argument} NAME`,
  });
}

const readAccount = ({ input }: Task): string => readText(input, "account") ?? DEFAULT_ACCOUNT;

/** `90d`, a day (its end) or a moment. */
function readEnd({ context, input }: Task): number | undefined {
  const text = readText(input, "expires");
  if (text === undefined) return undefined;
  if (duration.safeParse(text).success) return context.clock.nowMs() + parseDuration(text);
  const ms = Date.parse(DAY.test(text) ? `${text}T23:59:59.999Z` : text);
  if (!Number.isNaN(ms)) return ms;
  throw new AppError(
    "bad-usage",
    `--expires must be a time such as 90d, or a day such as 2027-01-31, got ${text}`,
  );
}

function describeUse({ lastUsed, expires, isExpired }: TokenFacts): string {
  const used = lastUsed === null ? "never used" : `last used ${toMoment(lastUsed)}`;
  const end = expires === null ? [] : [`${isExpired ? "ended" : "ends"} ${toMoment(expires)}`];
  return [used, ...end].join(", ");
}

function toTokenLine(token: TokenFacts): string {
  const name = token.name ?? "(from the file token)";
  const created = `made ${toMoment(token.created)}`;
  const id = token.id.slice(0, SHOWN_ID);
  return `  token      ${id}  ${name.padEnd(22)} ${token.access.padEnd(9)}  ${created}, ${describeUse(token)}`;
}

const toWorkspaceLine = ({ id, name, created }: WorkspaceFacts): string =>
  `  workspace  ${id}  ${name}, made ${toMoment(created)}`;

function toAccountText({ name, workspaces, tokens }: AccountFacts): string {
  const lines = [...workspaces.map(toWorkspaceLine), ...tokens.map(toTokenLine)];
  return `${[`account ${name} (times are UTC)`, ...lines].join("\n")}\n`;
}

function tell({ context, input }: Task, data: object, text: string): void {
  context.out(readFlag(input, "json") ? `${JSON.stringify(data)}\n` : text);
}

async function list(task: Task): Promise<void> {
  for (const account of await task.book.list()) {
    tell(task, { type: "account", ...account }, toAccountText(account));
  }
}

/** Shown here and nowhere else. */
function tellToken(task: Task, token: IssuedToken, about: { account: string }): void {
  const end = token.expires === null ? "" : `, ends ${toMoment(token.expires)} (UTC)`;
  tell(
    task,
    { type: "token", ...about, ...token },
    `token ${token.name ?? ""} of the account ${about.account}: ${token.access}${end}\n  ${token.token}\nKeep it now: it is not shown again.\n`,
  );
}

function tellWorkspace(task: Task, workspace: WorkspaceFacts, about: { account: string }): void {
  const { id, name } = workspace;
  const text = `workspace ${name} of the account ${about.account}\n  ${id}\n`;
  tell(task, { type: "workspace", ...about, ...workspace }, text);
}

async function create(task: Task): Promise<void> {
  const { account, workspace, token } = await task.book.createAccount(
    readName(task, "the account"),
  );
  tellWorkspace(task, workspace, { account });
  tellToken(task, token, { account });
}

async function addWorkspace(task: Task): Promise<void> {
  const account = readAccount(task);
  const name = readName(task, "the workspace");
  tellWorkspace(task, await task.book.createWorkspace(account, name), { account });
}

async function addToken(task: Task): Promise<void> {
  const account = readAccount(task);
  const token = await task.book.createToken(account, {
    name: readName(task, "the token"),
    access: readFlag(task.input, "readOnly") ? "read-only" : "full",
    expiresMs: readEnd(task),
  });
  tellToken(task, token, { account });
}

async function revoke(task: Task): Promise<void> {
  const revoked = await task.book.revokeToken(readName(task, "the token"));
  const { name, id, account } = revoked;
  const what = name ?? id;
  const next = name === null ? "The next start of the service makes a new one.\n" : "";
  const text = `token ${what} of the account ${account} is refused from now on\n${next}`;
  tell(task, { type: "revoked", ...revoked }, text);
}

const ACTIONS: Readonly<Record<string, (task: Task) => Promise<void>>> = {
  list,
  create,
  workspace: addWorkspace,
  token: addToken,
  revoke,
};

export async function accounts(context: CliContext, input: Input): Promise<number> {
  const action = readAction(input, ACTIONS);
  const folder = requireDataDir(context, input);
  const store = readSetting(context, input, "store")?.text;
  const { book, close } = await openAccountBook({ folder, store }, context);
  try {
    await action({ context, input, book });
  } finally {
    await close();
  }
  return 0;
}
