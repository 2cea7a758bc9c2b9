import { toPath } from "../../src/api/endpoints.ts";
import { openService } from "../../src/service/service.ts";

/** Gives a slug of a data folder to a short link of somebody else's, so that no job can have it. */
export async function takeSlug(dataDir: string, slug: string): Promise<void> {
  const service = await openService({ dataDir, limits: "off" });
  const { token, workspaceId: workspace } = service.account;
  const { status } = await service.fetch(
    new Request(`http://localhost/api/v2${toPath("createLink", {})}`, {
      method: "POST",
      headers: { authorization: `Token ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ workspace, slug, link: "https://taken.example" }),
    }),
  );
  await service.close();
  if (status >= 300) throw new Error(`the slug must be free, got status ${status}`);
}
