/** Rows that a job makes itself: numbers, with or without serials. */
import { AppError } from "../../base/errors.ts";
import { sha256 } from "../../base/ids/ids.ts";
import { toJobIdentity, type JobPlace } from "../../base/shapes/job-identity.ts";
import type { numberColumns, serialColumns } from "../../job/columns.ts";
import type { JobRows } from "../../job/job.ts";

import type { SourceRow } from "./rows.ts";
import { openLedger, type SerialLedger, type SerialOwner } from "./serial-ledger.ts";
import type { Source } from "../source.ts";

const plain: typeof numberColumns = ["number"];
const withSerial: typeof serialColumns = ["number", "serial"];

type Numbers = NonNullable<JobRows["numbers"]>;

const toText = (number: number, { pad }: Numbers): string => String(number).padStart(pad, "0");

const FACTS = { encoding: "-", delimiter: "", headerLine: 0 } as const;
/** What such rows don't have. */
const NOTHING = { mapped: {}, blankRows: 0 } as const;

function numbersOf({ numbers }: JobRows): Numbers {
  if (numbers === undefined) throw new AppError("bug", "rows of a range must have numbers");
  return numbers;
}

const toRow = (line: number, values: Readonly<Record<string, string>>): SourceRow => ({
  line,
  cells: values,
  values,
  problems: [],
});

/** One row for each number of a range. */
export function openRange(source: JobRows): Source {
  const numbers = numbersOf(source);
  return {
    ...NOTHING,
    file: source.file,
    sha256: sha256(JSON.stringify(numbers)),
    detected: { format: "range", ...FACTS },
    columns: plain,
    names: plain,
    warnings: [],
    async *rows() {
      for (let number = numbers.first; number <= numbers.last; number += 1) {
        yield toRow(number - numbers.first + 1, { number: toText(number, numbers) });
      }
    },
    close: () => Promise.resolve(),
  };
}

/** The job that asks for serials, and why. */
export interface SerialRequest extends JobPlace {
  /** True: serials are stored before they are used; false: they are only shown. */
  readonly keeps: boolean;
}

class SerialRows implements Source {
  readonly file: string;
  readonly sha256: string;
  readonly detected = { format: "serials", ...FACTS } as const;
  readonly columns = withSerial;
  readonly names = withSerial;
  readonly mapped = NOTHING.mapped;
  readonly blankRows = NOTHING.blankRows;
  readonly warnings = [];
  /** Identifies where the serials come from: another origin gives other serials. */
  readonly origin: string;
  readonly #ledger: SerialLedger;
  readonly #owner: SerialOwner;
  readonly #numbers: Numbers;
  readonly #keeps: boolean;

  constructor(source: JobRows, ledger: SerialLedger, request: SerialRequest) {
    const { serial: form, file } = source;
    if (form === undefined) throw new AppError("bug", "rows of serials must have a form");
    this.file = file;
    this.#ledger = ledger;
    this.#keeps = request.keeps;
    this.#numbers = numbersOf(source);
    const identity = toJobIdentity(request);
    this.#owner = { identity, form, count: this.#numbers.last };
    this.origin = ledger.originOf(identity);
    // Without later replacements: this hash is on every sheet, and printed sheets stay as they are.
    this.sha256 = sha256(JSON.stringify([this.origin, form, this.#numbers]));
  }

  async *rows(): AsyncGenerator<SourceRow> {
    let line = 0;
    for (const serial of this.#ledger.serials(this.#owner, this.#keeps)) {
      line += 1;
      yield toRow(line, { number: toText(line, this.#numbers), serial });
    }
    for (const { number, serial, round } of this.#ledger.replacements(this.#owner)) {
      if (number > this.#numbers.last) continue;
      line += 1;
      yield { ...toRow(line, { number: toText(number, this.#numbers), serial }), round };
    }
  }

  close(): Promise<void> {
    this.#ledger.close();
    return Promise.resolve();
  }
}

/** Rows with a random serial each. */
export async function openSerials(source: JobRows, request: SerialRequest): Promise<Source> {
  const ledger = await openLedger(request.dataDir);
  try {
    return new SerialRows(source, ledger, request);
  } catch (error) {
    ledger.close();
    throw error;
  }
}
