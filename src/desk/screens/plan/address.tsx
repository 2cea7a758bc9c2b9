/** The public address that short links begin with, where codes would lead to this computer only. */
import type { Context } from "hono";

import { AppError } from "../../../base/errors.ts";
import { isUrl } from "../../../base/url.ts";
import { editYaml, readYamlField } from "../../../job/yaml/edit-yaml.ts";
import type { DeskContext, Screen } from "../../context.ts";
import { manifestOf, readField } from "../../jobs.ts";
import { startTask } from "../../tasks/start.ts";
import { jobPath } from "../../view/page.tsx";
import type { Words } from "../../words/words.ts";
import { readManifest, writeManifest } from "../label/manifest-text.ts";

/** Asks for the address. */
export const AddressForm = ({ manifest, words }: { manifest: string; words: Words }) => (
  <form method="post" action={`${jobPath(manifest)}/address`}>
    <div class="field">
      <label for="address">{words.plan.address}</label>
      <input
        id="address"
        name="address"
        type="url"
        required
        placeholder="https://go.example.com"
        aria-describedby="address-hint"
      />
      <p class="hint" id="address-hint">
        {words.plan.addressHint}
      </p>
    </div>
    <button>{words.plan.useAddress}</button>
  </form>
);

function readAddress(text: string): string {
  if (isUrl(text)) {
    const { protocol, username, password } = new URL(text);
    if (/^https?:$/u.test(protocol) && username === "" && password === "") return text;
  }
  throw new AppError(
    "bad-usage",
    `the public address must be an http or https address without name and password, got ${text}`,
    { hint: "such as https://go.example.com" },
  );
}

/** The manifest names the address; its other letters stay. */
function nameAddress(text: string, address: string): string {
  const isThere = typeof readYamlField(text, ["api"])?.value === "object";
  return editYaml(text, [
    isThere
      ? { path: ["api", "public_url"], value: address }
      : { path: ["api"], value: { public_url: address } },
  ]);
}

async function saveAddress(c: Context, desk: DeskContext): Promise<Response> {
  const manifest = await manifestOf(c, desk);
  const address = readAddress(await readField(c, "address"));
  const { text } = await readManifest(desk.folder, manifest);
  await writeManifest(desk.folder, manifest, nameAddress(text, address));
  await startTask({ step: "plan", manifest }, desk);
  return c.redirect(`${jobPath(manifest)}/plan`, 303);
}

export const routeAddress: Screen = (app, desk) => {
  app.post("/job/:manifest/address", (c) => saveAddress(c, desk));
};
