import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { expect, it } from "vitest";

import { openService } from "../../src/service/service.ts";

import type { Wire } from "./make-service.ts";

const PROGRAM = `
  import { openService } from ${JSON.stringify(new URL("../../src/service/service.ts", import.meta.url).href)};
  const service = await openService({ dataDir: process.argv[1], limits: "off" });
  const { baseUrl } = await service.listen({ host: "127.0.0.1", port: 0 });
  console.log(JSON.stringify({ baseUrl, ...service.account }));
`;

interface Running {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspaceId: string;
  kill(): Promise<void>;
}

async function startChild(dataDir: string): Promise<Running> {
  const flags = ["--import", "tsx", "--input-type=module", "--eval", PROGRAM, dataDir];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(data.toString()));
    child.once("exit", () => reject(new Error("the service did not start")));
  });
  return {
    ...(JSON.parse(line) as Omit<Running, "kill">),
    kill: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

it("has every code whose create it answered, after kill -9 (promise 8)", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "durable-"));
  const running = await startChild(dataDir);
  const answered: string[] = [];
  const send = async (n: number): Promise<void> => {
    const response = await fetch(`${running.baseUrl}/qrcode/create/`, {
      method: "POST",
      headers: {
        authorization: `Token ${running.token}`,
        "content-type": "application/json",
        "idempotency-key": `row ${n}`,
      },
      body: JSON.stringify({
        workspace: running.workspaceId,
        qr_data: `https://example.com/${n}`,
      }),
    });
    answered.push(((await response.json()) as Wire).id);
  };
  // Four senders go on until the connection breaks.
  const senders = Array.from({ length: 4 }, async (_, lane) => {
    for (let n = lane; ; n += 4) {
      await send(n);
      if (answered.length === 60) await running.kill();
    }
  });
  await Promise.allSettled(senders);

  const service = await openService({ dataDir, limits: "off" });
  const headers = { authorization: `Token ${service.account.token}` };
  const found = new Set<string>();
  for (let page = 1; page < 5; page += 1) {
    const url = `http://localhost/api/v2/workspace/${running.workspaceId}/qrcodes/?page_size=200&page=${page}`;
    const { results } = (await (await service.fetch(new Request(url, { headers }))).json()) as Wire;
    for (const { id } of results) found.add(id);
  }
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(answered.filter((id) => !found.has(id))).toEqual([]);
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});
