/** Limits per address: whom they count as one (docs/spec/api.md section 8). */
import { describe, expect, it } from "vitest";

import { makeService, type TestService } from "./make-service.ts";
import { publishForm } from "./visit-form.ts";

/** Stands for the path of the form that is open. */
const FORM = "FORM";
let formPath = "";

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** What is limited per address: how many, and a request that counts. */
const limited: Record<string, { readonly most: number; readonly sent: Sent }> = {
  "the API without a token": { most: 20, sent: { path: "/api/v2/none/" } },
  "assistants without a token": {
    most: 20,
    sent: { path: "/mcp", method: "POST", headers: json, body: "{}" },
  },
  "the description": { most: 120, sent: { path: "/api/v2/openapi.json" } },
  "registrations of assistants": {
    most: 20,
    sent: {
      path: "/oauth/register",
      method: "POST",
      headers: json,
      body: JSON.stringify({ redirect_uris: ["https://assistant.example/"] }),
    },
  },
  "exchanges of tokens": {
    most: 60,
    sent: { path: "/oauth/token", method: "POST", headers: form, body: "grant_type=refresh_token" },
  },
  revocations: {
    most: 20,
    sent: { path: "/oauth/revoke", method: "POST", headers: form, body: "token=x" },
  },
  "answers to a form": {
    most: 300,
    sent: { path: FORM, method: "POST", headers: form, body: "a=b" },
  },
};

const send = async (
  service: TestService,
  { path, headers = {}, ...rest }: Sent,
  from: string,
): Promise<number> => {
  const request = new Request(`http://service.test${path === FORM ? formPath : path}`, {
    ...rest,
    headers: { ...headers, "x-forwarded-for": from },
  });
  return (await service.fetch(request)).status;
};

async function openLimited(): Promise<TestService> {
  const service = await makeService({ limits: "hosted", trustProxy: true });
  formPath = new URL((await publishForm(service)).share_url as string).pathname;
  return service;
}

describe.each(Object.entries(limited))("%s", (_, { most, sent }) => {
  it("counts an IPv6 network (/64) as one sender, its neighbour as another", async () => {
    const service = await openLimited();
    const ask = (from: string) => send(service, sent, from);
    for (let n = 0; n < most; n += 1) {
      expect(await ask(`2001:db8:0:1:${n.toString(16)}::1`)).not.toBe(429);
    }
    expect(await ask("2001:db8:0:1:ffff:ffff:ffff:ffff")).toBe(429);
    expect(await ask("[2001:DB8::1:0:0:0:2%eth0]:443")).toBe(429);
    expect(await ask("2001:db8:0:2::1")).not.toBe(429);
    await service.close();
  });

  it("counts an IPv4 address as one sender, however it is written, its neighbour as another", async () => {
    const service = await openLimited();
    const spellings = [
      "1.2.3.4",
      "::ffff:1.2.3.4",
      "::FFFF:102:304",
      "1.2.3.4:5678",
      "[::ffff:1.2.3.4]:1",
    ];
    for (let n = 0; n < most; n += 1) {
      expect(await send(service, sent, spellings[n % spellings.length] ?? "")).not.toBe(429);
    }
    for (const from of spellings) expect(await send(service, sent, from)).toBe(429);
    expect(await send(service, sent, "1.2.3.5")).not.toBe(429);
    await service.close();
  });

  it("counts whatever is no address as one sender", async () => {
    const service = await openLimited();
    for (let n = 0; n < most; n += 1) {
      expect(await send(service, sent, `made-up-${n}`)).not.toBe(429);
    }
    expect(await send(service, sent, "made-up")).toBe(429);
    await service.close();
  });
});

it("scanners stay apart inside a network: unique scans know the whole address", async () => {
  const service = await makeService({ trustProxy: true });
  const code = await service.code({ dynamic: true });
  const path = new URL(code.shortlink_url as string).pathname;
  for (const from of ["2001:db8::1", "2001:db8::2", "2001:DB8:0::2", "[2001:db8::2]:80"]) {
    expect(await send(service, { path }, from)).toBe(302);
  }
  await service.clock.advance(100);
  const { body } = await service.get(`/qrcode/${code.id as string}/`);
  expect([body.total_scans, body.unique_scans]).toEqual([4, 2]);
  await service.close();
});
