/**
 * What an account may see and change of itself outside of the API: tokens, receivers, assistants,
 * limits.
 */
import { randomBytes } from "node:crypto";

import { hidePassword } from "../../base/text/hide-password.ts";
import { toBase32 } from "../../base/ids/ids.ts";
import type { WebhookEvent } from "../../api/webhook.ts";
import {
  AccountBook,
  type IssuedToken,
  type TokenFacts,
  type TokenWish,
} from "../auth/account-book.ts";
import { requireWorkspace, type Caller } from "../auth/accounts.ts";
import { Grants, type GrantFacts } from "../auth/oauth/grants.ts";
import type { Context } from "../context.ts";
import { refuse } from "../http/reply.ts";
import type { Quota } from "../http/rate-limit.ts";
import { isVoidCode } from "../scans/void-codes.ts";
import { type FolderQuery, type FolderScans, readFolderScans } from "./folder-scans.ts";
import { findPdfCodes, type PdfCodes } from "./pdf-codes.ts";
import { type OptionWords, readOptionWords } from "./option-words.ts";
import { readShortLinks, type ShortLink } from "./short-links.ts";
import { readHistory, readPastDesign, type Past } from "./history.ts";
import { readUse, type Use } from "./use.ts";
import {
  checkOwnAddress,
  findDouble,
  listReceivers,
  removeReceiver,
  resumeReceiver,
  type WebhookStatus,
} from "../webhooks/receivers.ts";
import { listSent, queueAgain, queueTest, type SentReport } from "../webhooks/sent.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { DesignPatch } from "../../api/design.ts";

export interface WorkspaceName {
  readonly id: string;
  readonly name: string;
}

export interface OwnReceiver extends WebhookStatus {
  /** The receiver that `serve` names: if it is removed, the next start adds it again. */
  readonly isOfOperator: boolean;
  readonly sent: readonly SentReport[];
}

/** Things in workspaces, by their tables: short links are codes, too. */
export type Placed = "codes" | "folders" | "forms" | "products";

/** One account's view of itself. What it may not do throws a `Refusal` or an AppError. */
export interface Owner {
  readonly workspaces: () => Promise<readonly WorkspaceName[]>;
  /** The workspace that a thing of the account is in; undefined when there is no such thing. */
  readonly workspaceOf: (what: Placed, id: string) => Promise<string | undefined>;
  readonly tokens: () => Promise<readonly TokenFacts[]>;
  readonly makeToken: (wish: TokenWish) => Promise<IssuedToken>;
  readonly revokeToken: (id: string) => Promise<TokenFacts>;
  readonly grants: () => Promise<readonly GrantFacts[]>;
  readonly endGrant: (id: string) => Promise<void>;
  readonly receivers: (workspaceId: string) => Promise<readonly OwnReceiver[]>;
  /** Answers the secret that signs its reports: it is never shown again. */
  readonly addReceiver: (
    workspaceId: string,
    wish: { readonly url: string; readonly events: readonly WebhookEvent[] },
  ) => Promise<string>;
  /** The receiver of this address that gets any of these events already. */
  readonly findDouble: (
    workspaceId: string,
    wish: { readonly url: string; readonly events: readonly WebhookEvent[] },
  ) => Promise<Pick<OwnReceiver, "id" | "isOfOperator"> | undefined>;
  readonly changeReceiver: (id: string, what: ReceiverChange) => Promise<void>;
  /** Answers the new secret. */
  readonly renewSecret: (id: string) => Promise<string>;
  /** False when the report is no longer stored. */
  readonly resend: (id: string, report: number) => Promise<boolean>;
  readonly history: (codeId: string) => Promise<readonly Past[]>;
  /** Taken out of use on paper: no destination wakes it up. */
  readonly isVoid: (codeId: string) => Promise<boolean>;
  readonly pastDesign: (codeId: string, n: number) => Promise<DesignPatch>;
  /** Id -> short link, of the codes of the account among these; static ones have none. */
  readonly shortLinks: (codeIds: readonly string[]) => Promise<ReadonlyMap<string, ShortLink>>;
  readonly optionWords: (formId: string) => Promise<OptionWords>;
  readonly pdfCodes: (workspaceId: string, page: number) => Promise<PdfCodes>;
  readonly folderScans: (
    workspaceId: string,
    query: FolderQuery,
  ) => Promise<readonly FolderScans[]>;
  readonly use: (workspaceId: string) => Promise<Use>;
  readonly quotas: () => Promise<{ readonly read: Quota; readonly write: Quota } | undefined>;
}

export type ReceiverChange = "remove" | "resume" | "test";

export interface OwnerParts {
  readonly context: Context;
  readonly webhooks: Webhooks;
  readonly folder: string | undefined;
  readonly quotasOf: (caller: Caller) => ReturnType<Owner["quotas"]>;
  /** Counts a change as a write of the caller; throws when it is one too many. */
  readonly countWrite: (caller: Caller) => Promise<void>;
}

const SECRET_BYTES = 24;
const makeSecret = (): string => `whs_${toBase32(randomBytes(SECRET_BYTES))}`;

/** The receiver with this id, if it belongs to the account. */
async function requireReceiver({ store }: Context, caller: Caller, id: string): Promise<void> {
  const row = await store.db
    .selectFrom("webhooks")
    .innerJoin("workspaces", "workspaces.id", "webhooks.workspace_id")
    .select("webhooks.id")
    .where("webhooks.id", "=", id)
    .where("workspaces.account_id", "=", caller.accountId)
    .executeTakeFirst();
  if (row === undefined) throw refuse.notFound();
}

/** The same, but only a receiver that the account set itself. */
async function requireOwnReceiver(context: Context, caller: Caller, id: string): Promise<void> {
  await requireReceiver(context, caller, id);
  // The one that `serve` names has the workspace's id.
  const workspaces = context.store.db.selectFrom("workspaces").select("id").where("id", "=", id);
  if ((await workspaces.executeTakeFirst()) !== undefined) {
    throw refuse.whole("The operator of the service set this receiver: it is changed there.");
  }
}

type Hooks = Pick<
  Owner,
  "receivers" | "addReceiver" | "findDouble" | "changeReceiver" | "renewSecret" | "resend"
>;

const toShown = <One extends { readonly url: string }>(one: One): One => ({
  ...one,
  url: hidePassword(one.url),
});

function makeHooks(
  { context, webhooks }: OwnerParts,
  caller: Caller,
  mayWrite: () => Promise<void>,
): Hooks {
  const { store, clock, ids } = context;
  const change = async (id: string, what: ReceiverChange): Promise<void> => {
    await mayWrite();
    await (what === "remove" ? requireOwnReceiver : requireReceiver)(context, caller, id);
    const nowMs = clock.nowMs();
    await store.write(async (tx, rows) => {
      if (what === "remove") await removeReceiver(tx, id);
      else if (what === "resume") await resumeReceiver(tx, id);
      else await queueTest(rows, { webhookId: id, id: ids.uuid(), nowMs });
    });
    webhooks.wake();
  };
  return {
    async receivers(workspaceId) {
      await requireWorkspace(store.db, caller, workspaceId);
      const all: OwnReceiver[] = [];
      for (const one of await listReceivers(store.db, workspaceId)) {
        const sent = await listSent(store.db, one.id, clock.nowMs());
        all.push({ ...toShown(one), isOfOperator: one.id === workspaceId, sent });
      }
      return all;
    },
    async addReceiver(workspaceId, wish) {
      await mayWrite();
      await requireWorkspace(store.db, caller, workspaceId);
      checkOwnAddress(wish.url);
      const secret = makeSecret();
      await webhooks.add(workspaceId, { ...wish, secret });
      return secret;
    },
    async findDouble(workspaceId, wish) {
      await requireWorkspace(store.db, caller, workspaceId);
      const found = await findDouble(store.db, { workspaceId, ...wish });
      return found && { id: found.id, isOfOperator: found.id === workspaceId };
    },
    changeReceiver: change,
    async renewSecret(id) {
      await mayWrite();
      await requireOwnReceiver(context, caller, id);
      const secret = makeSecret();
      await store.write((tx) =>
        tx.updateTable("webhooks").set({ secret }).where("id", "=", id).execute(),
      );
      return secret;
    },
    async resend(id, report) {
      await mayWrite();
      await requireReceiver(context, caller, id);
      const again = { webhookId: id, id: report, nowMs: clock.nowMs() };
      const isQueued = await store.write((_tx, rows) => queueAgain(rows, again));
      webhooks.wake();
      return isQueued;
    },
  };
}

/** What became of one code of the account. */
const makePast = (
  context: Context,
  caller: Caller,
): Pick<Owner, "history" | "isVoid" | "pastDesign"> => ({
  history: (codeId) => readHistory(context, caller, codeId),
  isVoid: (codeId) => isVoidCode(context.store, codeId),
  pastDesign: (codeId, n) => readPastDesign(context, caller, { codeId, n }),
});

/** What a workspace of the account has and uses. */
const makeSums = (
  { context, folder }: OwnerParts,
  caller: Caller,
): Pick<Owner, "pdfCodes" | "folderScans" | "use"> => {
  const require = (workspaceId: string) => requireWorkspace(context.store.db, caller, workspaceId);
  return {
    async pdfCodes(workspaceId, page) {
      await require(workspaceId);
      return findPdfCodes(context, workspaceId, page);
    },
    async folderScans(workspaceId, asked) {
      await require(workspaceId);
      return readFolderScans(context, workspaceId, asked);
    },
    async use(workspaceId) {
      await require(workspaceId);
      return readUse(context, { accountId: caller.accountId, folder });
    },
  };
};

/** The account behind a caller. */
export function makeOwner(parts: OwnerParts, caller: Caller): Owner {
  const { context, folder } = parts;
  const { store } = context;
  const book = new AccountBook({ ...context, folder });
  const grants = new Grants(context);
  const { accountId } = caller;
  const mayWrite = async (): Promise<void> => {
    if (caller.isReadOnly) throw refuse.readOnly();
    await parts.countWrite(caller);
  };
  return {
    ...makeHooks(parts, caller, mayWrite),
    workspaces: () =>
      store.db
        .selectFrom("workspaces")
        .select(["id", "name"])
        .where("account_id", "=", accountId)
        .orderBy("created")
        .orderBy("id")
        .execute(),
    async workspaceOf(what, id) {
      const rows = store.db
        .selectFrom(what as "codes")
        .innerJoin("workspaces", "workspaces.id", `${what as "codes"}.workspace_id`)
        .select("workspaces.id")
        .where(`${what as "codes"}.id`, "=", id)
        .where("workspaces.account_id", "=", accountId);
      return (await rows.executeTakeFirst())?.id;
    },
    tokens: () => book.listTokens(accountId),
    async makeToken(wish) {
      await mayWrite();
      return book.createTokenOf(accountId, wish);
    },
    async revokeToken(id) {
      await mayWrite();
      const revoked = await book.revokeTokenOf(accountId, id);
      if (revoked === undefined) throw refuse.notFound();
      return revoked;
    },
    grants: () => grants.listOf(accountId),
    async endGrant(id) {
      await mayWrite();
      if (!(await grants.endOf(accountId, id))) throw refuse.notFound();
    },
    ...makePast(context, caller),
    shortLinks: (codeIds) => readShortLinks(context, caller, codeIds),
    optionWords: (formId) => readOptionWords(context, caller, formId),
    ...makeSums(parts, caller),
    quotas: () => parts.quotasOf(caller),
  };
}
