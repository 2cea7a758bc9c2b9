/** How a person starts this program, and sentences that name its commands. */
import path from "node:path";

import { toShortPath } from "./format-problem.ts";
import type { Environment } from "../settings.ts";
import { toCommandLine } from "./shell-words.ts";

/** Where a command will be typed. */
export interface Shell {
  readonly env: Environment;
  readonly cwd: string;
  /** The command line that starts this program, without arguments. */
  readonly program?: readonly string[] | undefined;
}

/** Installed, it is a link of that name, or a file that such a link leads to. */
const INSTALLED = /(?:^|[\\/])makeready(?:\.\w+)?$|node_modules[\\/]makeready[\\/]/u;
/** Of a checkout: `npm start` has a file of its own beside the program's. */
const OWN_FILE = /(?<=[\\/])(?:main|start)\.js$/u;

/** In the packages of the folder where commands are typed, or of one above it: only npx finds it there. */
function isInPackages(file: string, cwd: string): boolean {
  const [above = "", packages] = file.split(/[\\/]node_modules[\\/]/u);
  const way = path.relative(above, cwd);
  return packages !== undefined && !path.isAbsolute(way) && !/^\.\.(?:[\\/]|$)/u.test(way);
}

/** How this program was started: `makeready`, through npx, or by its file. */
export function toProgram({ env, program, cwd }: Shell): string[] {
  const file = program?.[1] ?? "makeready";
  if (env["npm_lifecycle_event"] === "npx" || isInPackages(file, cwd)) return ["npx", "makeready"];
  if (INSTALLED.test(file) || !OWN_FILE.test(file)) return ["makeready"];
  return ["node", toShortPath(file.replace(OWN_FILE, "main.js"), cwd)];
}

export const toProgramLine = (shell: Shell): string => toCommandLine(toProgram(shell));

/** What sentences name behind `makeready`. */
export const commandNames = `--help accounts activate answers backup check columns completion config
  desk doctor drill export-resolver import-links init key mend move move-store plan preview reconcile
  replace restore retire retry run scan schedule serve set sheets status undo validate verify void
  watch webhooks work`.split(/\s+/u);

const NAMED = /(?<![\w./\\-]|npx )makeready (?=([a-z-]+)(?!\w))/gu;

/** A text whose commands begin with what starts this program, so that they can be typed as they stand. */
export const showCommands = (text: string, program: string): string =>
  text.replaceAll(NAMED, (found, name: string) =>
    commandNames.includes(name) ? `${program} ` : found,
  );
