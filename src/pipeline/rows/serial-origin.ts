/** A state is tied to where its serials come from: others would be other rows, and all codes made anew. */
import { type Problem, AppError } from "../../base/errors.ts";
import { countSerials, describeSerial } from "../../base/ids/serials.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { LEDGER_FILE } from "../../read/rows/serial-ledger.ts";
import type { Source } from "../../read/source.ts";
import type { State } from "../../state/state.ts";
import type { PlanNote } from "../paper/plan-notes.ts";

/** Meta: where the serials of the last run came from. */
const ORIGIN = "serial_origin";

/** Throws `state-foreign` when the serials would be others than those of earlier runs. */
export function refuseOtherSerials(
  state: State | undefined,
  { origin }: Pick<Source, "origin">,
): void {
  const known = state?.meta(ORIGIN);
  if (known === undefined || origin === undefined || known === origin) return;
  throw new AppError(
    "state-foreign",
    `the serials of this job must come from the ${LEDGER_FILE} of its earlier runs, got another one, or a job of another name or output folder (as seen from the data folder)`,
    {
      hint: `put ${LEDGER_FILE} back into the data folder from a backup, and leave name, output folder and its way from the data folder as they were; or make every code anew with --fresh --yes`,
      where: { file: state?.file },
    },
  );
}

export function rememberSerials(state: State, { origin }: Pick<Source, "origin">): void {
  if (origin !== undefined) state.setMeta(ORIGIN, origin);
}

/** Serials that can be guessed in fewer tries than this should be longer. */
const SAFE_TRIES = 1_000_000;

/** How many tries it takes on average until one guesses a serial of the job. */
const toTries = ({ source: { serial, numbers } }: RowJob): number | undefined =>
  serial && numbers && Number(countSerials(serial)) / numbers.last;

/** The chance of guessing a serial, for every plan. */
export function noteSerials(job: RowJob): PlanNote[] {
  const { serial, numbers } = job.source;
  const tries = toTries(job);
  if (serial === undefined || numbers === undefined || tries === undefined) return [];
  return [{ code: "serials", rows: numbers.last, form: describeSerial(serial), tries }];
}

export function warnOfGuessing(job: RowJob): Problem[] {
  const tries = toTries(job);
  if (tries === undefined || tries >= SAFE_TRIES) return [];
  return [
    {
      message: `serials must be too many to guess one, got 1 in ${Math.floor(tries)} tries (a million or more is safe)`,
      hint: "make source.serial.length larger before anything is made",
      where: { file: job.file, field: "source.serial.length" },
    },
  ];
}
