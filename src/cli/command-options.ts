/** Options that several commands take. */
import { settingOption } from "./settings.ts";

/** Of every command that makes or draws codes. */
export const publicUrlOption = settingOption(
  "publicUrl",
  "what short links of the embedded service begin with; kept with its data",
);

/** Options that every command with a manifest takes. */
export const jobOptions: readonly string[] = [
  "--out <dir>  output folder, instead of output.dir of the manifest",
  "--set <key=value>...  overrides one key of the manifest",
  settingOption("baseUrl"),
  publicUrlOption,
  settingOption("data"),
  "--limits <mode>  limits of the embedded service: off (default) or hosted",
  "--json  one JSON object per line on standard output",
];

export const jobOptionsBut = (...flags: readonly string[]): string[] =>
  jobOptions.filter((option) => !flags.some((flag) => option.startsWith(`${flag} `)));

/** Of commands that make or draw codes, and of `serve`. */
export const changeUrlOption =
  "--change-public-url <url>  gives codes a new public address; codes printed with the old one then lead nowhere";

/** Of commands that plan or make codes. */
export const changeServerOption =
  "--change-server  goes on with a server that has the job's codes under another base URL";

/** `--patience` of run and retry. */
export const patienceOption = settingOption("patience");

/** `--yes` of run and retry. */
export const yesOption = "--yes  answer every question with yes";

/** `--on` of run, retry and verify. */
export const onOption = settingOption("on");

/** Of `serve`: how the place of scans is found, and where scans are reported. */
export const scanOptions: readonly string[] = [
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

/** Of `init`: the label sheet that is offered, and the word for none. */
export const DEFAULT_SHEET = "a4-24up-63.5x33.9";
export const NO_SHEET = "none";
