import { afterAll, beforeAll, expect, it } from "vitest";

import { conform } from "./conform.ts";
import { makeService, type TestService, type Wire } from "./make-service.ts";

let service: TestService;
let code: Wire;
beforeAll(async () => {
  service = await makeService();
  code = (await service.get(`/qrcode/${(await service.code({ dynamic: true })).id}/`)).body;
});
afterAll(() => service.close());

const answered = (body: unknown, changes: object = {}) => ({
  method: "GET",
  path: `/qrcode/${code.id}/?x=1`,
  status: 200,
  headers: new Headers({ "content-type": "application/json" }),
  body,
  ...changes,
});

it("takes the answers of the service", () => {
  expect(() => conform(answered(code))).not.toThrow();
});

it.each<[string, () => ReturnType<typeof answered>, string]>([
  ["a field that is missing", () => answered({ ...code, tags: undefined }), "required property"],
  ["a field that is not announced", () => answered({ ...code, more: 1 }), "additional properties"],
  ["another type", () => answered({ ...code, dynamic: null }), "/dynamic must be boolean"],
  ["a word that is not announced", () => answered({ ...code, qr_type: "x" }), "/qr_type"],
  ["a fault in a part", () => answered({ ...code, design: { ...code.design, size: "" } }), "/size"],
  ["another status", () => answered({}, { status: 201 }), "is not announced"],
  [
    "another type of body",
    () => answered("", { headers: new Headers({ "content-type": "text/html" }) }),
    "text/html is not announced",
  ],
  ["another form of refusal", () => answered({ error: "x" }, { status: 404 }), "'detail'"],
])("refuses %s", (_, make, says) => {
  expect(() => conform(JSON.parse(JSON.stringify(make()), revive(make())))).toThrow(says);
});

/** JSON drops what is undefined; headers are kept. */
const revive =
  ({ headers }: { headers: Headers }) =>
  (key: string, value: unknown) =>
    key === "headers" ? headers : value;
