/** Options that several commands take. */
import type { CommandOption } from "./context.ts";
import { settingOption } from "./settings.ts";

/** Of every command that makes or draws codes. */
export const publicUrlOption = settingOption(
  "publicUrl",
  "what short links of the embedded service begin with; kept with its data",
);

/** Options that every command with a manifest takes. */
export const jobOptions: readonly CommandOption[] = [
  { flags: "--out <dir>", says: "output folder, instead of output.dir of the manifest" },
  { flags: "--set <key=value>", says: "overrides one key of the manifest", repeats: true },
  settingOption("baseUrl"),
  publicUrlOption,
  settingOption("data"),
  { flags: "--limits <mode>", says: "limits of the embedded service: off (default) or hosted" },
  { flags: "--json", says: "one JSON object per line on standard output" },
];

/** Of what makes or draws codes, and of `serve`. */
export const changeUrlOption = {
  flags: "--change-public-url <url>",
  says: "gives codes another public address than they have; printed ones then lead nowhere",
} as const;

/** `--patience` of run and retry. */
export const patienceOption = settingOption("patience");

/** `--yes` of run and retry. */
export const yesOption = { flags: "--yes", says: "answer every question with yes" } as const;

/** `--on` of run, retry and verify. */
export const onOption = settingOption("on");

/** Of `serve`: where scans come from, and whom they are reported to. */
export const scanOptions: readonly CommandOption[] = [
  settingOption("trustProxy"),
  settingOption("geoDatabase"),
  settingOption("geoHeaders"),
  settingOption("timeZone"),
  settingOption("scanFlush"),
  settingOption("webhookUrl"),
  settingOption("webhookEvents"),
  settingOption("webhookSecret"),
];

/** Of `preview`: where its files go. */
export const PREVIEW_FOLDER = "preview";

/** Of `init`: the label sheet that is offered, and what is said for none. */
export const DEFAULT_SHEET = "a4-24up-63.5x33.9";
export const NO_SHEET = "none";
