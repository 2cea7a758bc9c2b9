/** Accounts, workspaces and tokens of a service, made and shown on its data folder. */
import path from "node:path";

import { parseDuration } from "../../base/time/duration.ts";
import { badUsage } from "../../base/errors.ts";
import { parseMoment } from "../../base/time/moment.ts";
import {
  openAccountBook,
  type AccountBook,
  type AccountFacts,
  type IssuedToken,
  type TokenFacts,
  type TokenWish,
  type WorkspaceFacts,
} from "../../service/auth/account-book.ts";
import { toTokenFile } from "../../service/auth/accounts.ts";
import { findAction, refuseUnused, type Actions, type Call } from "../call.ts";
import { readSetting, requireDataDir, withSameData } from "../settings.ts";

const DEFAULT_ACCOUNT = "default";
const DAY = /^\d{4}-\d{2}-\d{2}$/u;
/** So much of a token's id is shown; it is enough to name it. */
const SHOWN_ID = 8;

/** The last day that is written with four digits. */
const MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** `2026-11-20 08:00`, UTC. */
const toMoment = (iso: string): string => iso.slice(0, 16).replace("T", " ");

function readName({ input }: Call, what: string): string {
  if (input.second !== undefined) return input.second;
  throw badUsage(`${what} must be named, got none`, `makeready accounts ${input.argument} NAME`);
}

const readAccount = (call: Call): string => call.text("account") ?? DEFAULT_ACCOUNT;

/** `90d`, a day (its end) or a moment. */
function readEnd(call: Call): number | undefined {
  const text = call.text("expires");
  if (text === undefined) return undefined;
  const duration = parseDuration(text);
  const ms =
    duration === undefined
      ? parseMoment(DAY.test(text) ? `${text}T23:59:59.999Z` : text)
      : call.context.clock.nowMs() + duration;
  if (ms !== undefined && ms <= MAX_MS) return ms;
  throw badUsage(`--expires must be a time such as 90d, or a day such as 2027-01-31, got ${text}`);
}

/** What a new token may do, and until when. */
const readWish = (call: Call): Omit<TokenWish, "name"> => ({
  access: call.has("readOnly") ? "read-only" : "full",
  expiresMs: readEnd(call),
});

function describeUse({ lastUsed, expires, isExpired }: TokenFacts): string {
  const used = lastUsed === null ? "never used" : `last used ${toMoment(lastUsed)}`;
  return expires === null ? used : `${used}, ${isExpired ? "ended" : "ends"} ${toMoment(expires)}`;
}

/** A token without a name is of the file. Where none of the account is in it, the folder may be another. */
function describeFile({ isInFile }: TokenFacts, { name, tokens }: AccountFacts): string {
  const file = path.basename(toTokenFile("", name));
  if (isInFile) return `(from the file ${file})`;
  return tokens.some((one) => one.isInFile)
    ? `(formerly of the file ${file})`
    : `(of a file ${file})`;
}

function toTokenLine(token: TokenFacts, account: AccountFacts): string {
  const name = token.name ?? describeFile(token, account);
  const created = `made ${toMoment(token.created)}`;
  const id = token.id.slice(0, SHOWN_ID);
  return `  token      ${id}  ${name.padEnd(22)} ${token.access.padEnd(9)}  ${created}, ${describeUse(token)}`;
}

const toWorkspaceLine = ({ id, name, created }: WorkspaceFacts): string =>
  `  workspace  ${id}  ${name}, made ${toMoment(created)}`;

const listAccount = (account: AccountFacts): string[] => [
  `account ${account.name} (times are UTC)`,
  ...account.workspaces.map(toWorkspaceLine),
  ...account.tokens.map((token) => toTokenLine(token, account)),
];

async function list(call: Call, book: AccountBook): Promise<void> {
  for (const account of await book.list()) call.tell("account", account, ...listAccount(account));
}

/** Shown here and nowhere else. */
function tellToken(call: Call, account: string, token: IssuedToken): void {
  const end = token.expires === null ? "" : `, ends ${toMoment(token.expires)} (UTC)`;
  call.tell(
    "token",
    { account, ...token },
    `token ${token.name ?? ""} of the account ${account}: ${token.access}${end}`,
    `  ${token.token}`,
    "Keep it now: it is not shown again.",
  );
}

function tellWorkspace(call: Call, account: string, workspace: WorkspaceFacts): void {
  const { id, name } = workspace;
  const says = `workspace ${name} of the account ${account}`;
  call.tell("workspace", { account, ...workspace }, says, `  ${id}`);
}

async function create(call: Call, book: AccountBook): Promise<void> {
  const made = await book.createAccount(readName(call, "the account"), readWish(call));
  tellWorkspace(call, made.account, made.workspace);
  tellToken(call, made.account, made.token);
}

async function addWorkspace(call: Call, book: AccountBook): Promise<void> {
  const account = readAccount(call);
  const name = readName(call, "the workspace");
  tellWorkspace(call, account, await book.createWorkspace(account, name));
}

async function addToken(call: Call, book: AccountBook): Promise<void> {
  const account = readAccount(call);
  const wish = { name: readName(call, "the token"), ...readWish(call) };
  tellToken(call, account, await book.createToken(account, wish));
}

async function revoke(call: Call, book: AccountBook): Promise<void> {
  const revoked = await book.revokeToken(readName(call, "the token"));
  const { name, id, account, isInFile } = revoked;
  // A database doesn't say which folder its services have.
  const mayReturn = name === null && !isInFile && readSetting(call, "store") !== undefined;
  call.tell(
    "revoked",
    revoked,
    `token ${name ?? id} of the account ${account} is refused from now on`,
    ...(isInFile ? ["The next start of the service makes a new one."] : []),
    ...(mayReturn
      ? [
          "If the data folder of the service has it in its file token, remove that file, too: the next start would accept it again.",
        ]
      : []),
  );
}

const actions: Actions<(call: Call, book: AccountBook) => Promise<void>> = {
  list,
  create,
  workspace: addWorkspace,
  token: addToken,
  revoke,
};

const TAKEN_BY = {
  account: ["workspace", "token"],
  readOnly: ["create", "token"],
  expires: ["create", "token"],
};

export async function accounts(call: Call): Promise<void> {
  const action = findAction(call, actions);
  refuseUnused(call, TAKEN_BY);
  const folder = requireDataDir(call);
  const store = readSetting(call, "store")?.text;
  const { book, close } = await openAccountBook(
    { folder, store, isReader: action === list },
    call.context,
  );
  try {
    await action(call, book);
  } catch (error) {
    throw withSameData(call, error);
  } finally {
    await close();
  }
}
