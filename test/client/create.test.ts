import { describe, expect, it } from "vitest";

import { sendCreate, type CreateOutcome } from "../../src/client/create.ts";
import { TransportFailure } from "../../src/client/wire.ts";
import { makeAnswer, makeRequest, TOKEN, type FakeAnswer } from "./wire-fakes.ts";

const KEY = "abcdefghij";
const code = { id: "c-1", qr_type: "Link", dynamic: true, created: "2026-11-20T12:00:00Z" };

async function create(result: FakeAnswer | Error): Promise<CreateOutcome & { sends: number }> {
  let sends = 0;
  const request = makeRequest({
    method: "POST",
    label: "POST /qrcode/create/",
    class: "write",
    headers: { authorization: `Token ${TOKEN}`, "idempotency-key": KEY },
  });
  const outcome = await sendCreate(
    async () => {
      sends += 1;
      if (result instanceof Error) throw result;
      return makeAnswer(result);
    },
    request,
    () => 0,
  );
  return { ...outcome, sends };
}

describe("sendCreate", () => {
  it.each([200, 201])("is done by a %i with a code in it", async (status) => {
    const body = { ...code, svg: "<svg/>", extra: 1 };
    expect(await create({ status, body })).toMatchObject({
      kind: "done",
      status,
      code: { ...code, svg: "<svg/>" },
      raw: body,
      keyEchoed: false,
      sends: 1,
    });
  });

  it("is done by an id alone, and by fields that another server writes its own way", async () => {
    expect(await create({ body: { id: "c-9" } })).toMatchObject({
      kind: "done",
      code: { id: "c-9", created: "" },
    });
    expect(
      await create({ body: { ...code, tags: "none", folder: 7, dynamic: "yes" } }),
    ).toMatchObject({ kind: "done", code: { id: "c-1", created: code.created, dynamic: false } });
  });

  it.each<readonly [string, FakeAnswer]>([
    ["half a body", { body: '{"id": "c-1", "qr_' }],
    [
      "an id of broken characters",
      {
        body: Buffer.from('{"id":"\xff"}', "latin1"),
      },
    ],
    ["an HTML page", { body: "<html>Welcome</html>" }],
    ["an empty body", { body: "" }],
    ["no id", { body: { ...code, id: undefined } }],
    ["an empty id", { body: { ...code, id: "" } }],
    ["an id that is none", { body: { ...code, id: null } }],
    ["a list", { body: [code] }],
    ["null", { body: null }],
    ["status 202", { status: 202, body: code }],
    ["status 204", { status: 204, body: "" }],
    ["status 302", { status: 302, headers: { location: "/x" }, body: "" }],
    ["status 409", { status: 409, body: { detail: "in flight" } }],
    ["status 422", { status: 422, body: { detail: "other body" } }],
    ["status 500", { status: 500, body: { detail: "oops" } }],
    ["status 503 with Retry-After", { status: 503, headers: { "retry-after": "1" } }],
  ])("is in doubt by %s, and not sent again", async (_, answer) => {
    expect(await create(answer)).toMatchObject({
      kind: "doubt",
      sends: 1,
      status: answer.status ?? 200,
    });
  });

  it("is in doubt when the answer was lost, not sent when nothing left", async () => {
    expect(await create(new TransportFailure("reset", true))).toMatchObject({
      kind: "doubt",
      message:
        "POST /qrcode/create/ must be answered by api.test, got no answer: the connection broke",
      error: { code: "server-unavailable" },
      keyEchoed: false,
      sends: 1,
    });
    expect(await create(new TransportFailure("refused", false))).toMatchObject({
      kind: "not-sent",
      error: { code: "server-unavailable" },
    });
  });

  it("is refused with the server's words, field by field", async () => {
    const body = { qr_data: ["Must be a URL"], vcard: { first_name: ["Is required"] } };
    expect(await create({ status: 400, body })).toMatchObject({
      kind: "refused",
      status: 400,
      message:
        "POST /qrcode/create/ must succeed, got 400: qr_data: Must be a URL; vcard.first_name: Is required",
      problems: [
        { message: "qr_data: Must be a URL", where: { field: "qr_data" } },
        { message: "vcard.first_name: Is required", where: { field: "vcard" } },
      ],
      error: { code: "request-refused", kind: "input" },
    });
    expect(await create({ status: 404, body: { detail: "No folder." } })).toMatchObject({
      kind: "refused",
      error: { code: "not-found" },
      problems: [],
    });
    expect(await create({ status: 415 })).toMatchObject({ kind: "refused" });
  });

  it.each([401, 403])("says of a %i that it is the token", async (status) => {
    expect(await create({ status, body: { detail: "Invalid token." } })).toMatchObject({
      kind: "auth",
      error: { code: "token-refused", exitCode: 4 },
    });
  });

  it("is limited by a 429, with the wait", async () => {
    expect(await create({ status: 429, headers: { "retry-after": "12" } })).toMatchObject({
      kind: "limited",
      retryAfterMs: 12_000,
      error: { code: "rate-limited", exitCode: 5 },
    });
  });

  it("says whether the key was echoed, and the server's time", async () => {
    const headers = { "Idempotency-Key": KEY, date: "Fri, 20 Nov 2026 12:00:00 GMT" };
    expect(await create({ body: code, headers })).toMatchObject({
      keyEchoed: true,
      serverMs: Date.UTC(2026, 10, 20, 12),
    });
    // Another key is no echo; an invalid date doesn't count.
    const other = { "idempotency-key": "other", date: "yesterday" };
    expect(await create({ status: 500, headers: other })).toMatchObject({
      keyEchoed: false,
      serverMs: undefined,
    });
  });

  it("never repeats the token, should the server echo it", async () => {
    const body = { detail: `Token ${TOKEN} is not valid` };
    const { message } = (await create({ status: 400, body })) as { message: string };
    expect(message).toContain("Token [secret] is not valid");
    expect(JSON.stringify(await create({ status: 400, body: { a: [TOKEN] } }))).not.toContain(
      TOKEN,
    );
  });

  it("lets through what is no answer of the network: a bug, a full disk", async () => {
    await expect(create(new Error("disk full"))).rejects.toThrow("disk full");
  });
});
