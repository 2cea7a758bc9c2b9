import type { Hono } from "hono";

import type { Clock } from "../base/time/clock.ts";
import type { Ids } from "../base/ids/ids.ts";
import type { Assets } from "./assets.ts";
import type { BeginTask } from "./tasks/task.ts";

/** The context of every screen. */
export interface DeskContext {
  /** Absolute; everything that the desk reads and writes lies in it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Name and version of the program. */
  readonly writer: string;
  /** Of this process; tasks inherit it. Manifests are read without it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command line that starts this program, without arguments; default: `makeready`. */
  readonly program?: readonly string[] | undefined;
  readonly assets: Assets;
  /** How many responses these forms of a data folder have; undefined where that isn't known. */
  readonly countAnswers?: (
    dataDir: string,
    forms: ReadonlySet<string>,
  ) => Promise<number | undefined>;
  /** How steps of jobs are begun. Default: each in a process of its own. */
  readonly begin?: BeginTask | undefined;
}

/** Puts the paths of one screen on the desk. */
export type Screen = (app: Hono, desk: DeskContext) => void;
