import { describe, expect, it } from "vitest";

import { Addresses } from "../../src/service/addresses.ts";

const asked = new URL("http://127.0.0.1:8787/api/v2/x/?page=2&q=a%26b");

function seen(options: ConstructorParameters<typeof Addresses>[0], listens = true): string {
  const addresses = new Addresses(options);
  if (listens) addresses.listenUrl = "http://127.0.0.1:8787";
  return addresses.seenByClients(asked).href;
}

describe("seenByClients, the base of next and previous (docs/spec/api.md section 2)", () => {
  it("is the public address behind a proxy, also below a path", () => {
    expect(seen({ publicUrl: "https://go.example" })).toBe(
      "https://go.example/api/v2/x/?page=2&q=a%26b",
    );
    expect(seen({ publicUrl: "https://example.com/qr/" })).toBe(
      "https://example.com/qr/api/v2/x/?page=2&q=a%26b",
    );
  });

  it("is the requested address as long as the public one is not served", () => {
    expect(seen({})).toBe(asked.href);
    expect(seen({ publicUrl: "http://localhost:9000" })).toBe(asked.href);
    expect(seen({ publicUrl: "https://go.example", assetUrl: "listen" })).toBe(asked.href);
    expect(seen({ publicUrl: "https://go.example" }, false)).toBe(asked.href);
  });
});
