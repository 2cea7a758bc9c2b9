/** The public address that short links begin with, where codes would lead to this computer only. */
import { hidePassword } from "../../../base/text/hide-password.ts";
import type { Context } from "hono";

import { badUsage } from "../../../base/errors.ts";
import { BASE_URL_RULE, isBaseUrl, sayBaseUrlFix } from "../../../job/shapes/common-shapes.ts";
import type { YamlEdit } from "../../../job/yaml/edit-yaml.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { editJob, toSetCommand } from "../../edit-job.ts";
import { manifestOf, readField } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { Command, jobPath } from "../../view/page.tsx";
import type { Words } from "../../words/words.ts";

const SAMPLE = "https://go.example.com";

const toEdits = (address: string): YamlEdit[] => [{ path: ["api", "public_url"], value: address }];

export const AddressForm = ({ manifest, words }: { manifest: string; words: Words }) => (
  <form method="post" action={`${jobPath(manifest)}/address`}>
    <div class="field">
      <label for="address">{words.plan.address}</label>
      <input
        id="address"
        name="address"
        type="url"
        required
        placeholder={SAMPLE}
        aria-describedby="address-hint"
      />
      <p class="hint" id="address-hint">
        {words.plan.addressHint}
      </p>
    </div>
    <button>{words.plan.useAddress}</button>
    <Command words={words} text={toSetCommand(manifest, toEdits(SAMPLE))} />
  </form>
);

function readAddress(text: string): string {
  if (isBaseUrl(text)) return text;
  throw badUsage(
    `the public address ${BASE_URL_RULE}, got ${hidePassword(text) || "none"}`,
    sayBaseUrlFix(text) ?? `such as ${SAMPLE}`,
  );
}

async function saveAddress(c: Context, desk: DeskContext): Promise<Response> {
  const manifest = await manifestOf(c, desk);
  const address = readAddress(await readField(c, "address"));
  await editJob(desk, manifest, toEdits(address));
  await startTask({ step: "plan", manifest }, desk);
  return c.redirect(`${jobPath(manifest)}/plan`, 303);
}

export const routeAddress: Screen = (app, desk) => {
  app.post("/job/:manifest/address", (c) => saveAddress(c, desk));
  app.get("/job/:manifest/address", async (c) =>
    c.redirect(`${jobPath(await manifestOf(c, desk))}/plan`, 303),
  );
};
