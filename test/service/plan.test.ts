import { expect, it } from "vitest";

import { parsePlan } from "../../src/service/auth/plan.ts";

import { makeService } from "./make-service.ts";

const message = {
  non_field_errors: [expect.stringContaining("limit of 2 dynamic codes") as string],
};
const pdf = Buffer.from("%PDF-1.7\n1 0 obj<<>>endobj\n%%EOF\n").toString("base64");

it("counts dynamic, PDF and GS1 codes of an account, and names the limit (docs/spec/api.md section 8)", async () => {
  const service = await makeService({ plan: { dynamicCodes: 2 } });
  const { workspace } = service;
  const first = await service.code({ dynamic: true });
  await service.send("POST", "/pdf/create/", { workspace, pdf_base64: pdf });
  const refused = [
    ["/qrcode/create/", { workspace, qr_data: "https://example.com/", dynamic: true }],
    ["/pdf/create/", { workspace, pdf_base64: pdf }],
    [
      "/qrcode/create/",
      {
        workspace,
        qr_type: "GS1",
        gs1_product: { identifier_value: "9506000134352", destination_url: "https://a.example/" },
      },
    ],
  ] as const;
  for (const [path, body] of refused) {
    const answer = await service.send("POST", path, body);
    expect([answer.status, answer.body]).toEqual([400, message]);
  }
  // Nothing of a refused create stays.
  expect((await service.get(`/workspace/${workspace}/gs1/products/`)).body.results).toEqual([]);
  // Static codes and short links are not limited, nor is another account.
  await service.code();
  const link = await service.send("POST", "/link/create/", {
    workspace,
    link: "https://example.com/",
  });
  expect(link.status).toBe(200);
  const theirs = await service.send(
    "POST",
    "/qrcode/create/",
    { workspace: service.other.workspaceId, qr_data: "https://example.com/", dynamic: true },
    { token: service.other.token },
  );
  expect(theirs.status).toBe(200);
  await service.send("DELETE", `/qrcode/${first.id}/delete/`);
  await service.code({ dynamic: true });
  await service.close();
});

it("gives the last place to one of two that come at once", async () => {
  const service = await makeService({ plan: { dynamicCodes: 1 } });
  const body = { workspace: service.workspace, qr_data: "https://example.com/", dynamic: true };
  const answers = await Promise.all(
    [1, 2, 3].map(() => service.send("POST", "/qrcode/create/", body)),
  );
  const made = answers.filter(({ status }) => status === 200);
  expect([made.length, answers.filter(({ status }) => status === 400).length]).toEqual([1, 2]);
  await service.close();
});

it.each([
  ["dynamic_codes=500", { dynamicCodes: 500 }],
  [
    " dynamic_codes = 0, pages=3,paid=off,webhooks=on ",
    { dynamicCodes: 0, pages: 3, paid: false, webhooks: true },
  ],
  ['{"dynamic_codes": 5, "paid": true}', { dynamicCodes: 5, paid: true }],
  ["{}", {}],
])("reads the plan %j (docs/spec/design.md section 5)", (text, plan) => {
  expect(parsePlan(text)).toEqual(plan);
});

it.each(["", "dynamic_codes", "codes=5", "pages=-1", "pages=1.5", "paid=5", "{", '{"pages": "3"}'])(
  "refuses the plan %j and says what it must be",
  (text) => {
    expect(() => parsePlan(text)).toThrow(
      expect.objectContaining({
        code: "bad-usage",
        message: expect.stringContaining("dynamic_codes") as string,
      }),
    );
  },
);
