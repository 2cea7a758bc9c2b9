/** A job with both of its ledgers open: that of its serials, and that of its printed codes. */
import { AppError } from "../../base/errors.ts";
import { toJobIdentity } from "../../base/shapes/job-identity.ts";
import type { RowJob } from "../../kinds/any-job.ts";
import { openLedger, type SerialLedger, type SerialOwner } from "../../read/rows/serial-ledger.ts";
import { openUnits, type UnitLedger, type UnitOwner } from "../../state/unit-ledger.ts";
import { toFinishedJob, withFinishedJob } from "../standing/finished-job.ts";
import type { Ports } from "../ports.ts";
import { refuseForeign } from "../address/foreign-server.ts";
import type { ServerChoice } from "../address/server.ts";
import type { Work } from "../stages/work.ts";
import { toUnitOwner } from "./unit-owner.ts";

export interface UnitOrder {
  readonly job: RowJob;
  readonly server: ServerChoice;
}

/** Serials of the job; undefined where its rows have none. */
export interface JobSerials {
  readonly ledger: SerialLedger;
  readonly owner: SerialOwner;
}

export interface UnitWork extends Work {
  readonly units: UnitLedger;
  /** The job, as its ledger finds it. */
  readonly owner: UnitOwner;
  readonly serials: JobSerials | undefined;
}

async function openSerials({ job, server }: UnitOrder): Promise<JobSerials | undefined> {
  const { serial: form, numbers } = job.source;
  if (form === undefined || numbers === undefined) return undefined;
  const { dataDir } = server;
  const identity = toJobIdentity({ job: job.name, dir: job.output.dir, dataDir });
  const ledger = await openLedger(dataDir);
  return { ledger, owner: { identity, form, count: numbers.last } };
}

/**
 * Opens what a run left and its ledgers. Throws `bad-usage` when the job was never run, and
 * `state-foreign` where its codes lie elsewhere: its void ones are known only there.
 */
export const withUnits = <T>(
  order: UnitOrder,
  ports: Ports,
  use: (work: UnitWork) => Promise<T>,
): Promise<T> =>
  withFinishedJob(toFinishedJob(order.job), ports, async (work) => {
    await refuseForeign(order, work.state, ports);
    const { dataDir } = order.server;
    const owner = toUnitOwner({ ...work, dataDir });
    const serials = await openSerials(order);
    const units = await openUnits(dataDir).catch((error: unknown) => {
      serials?.ledger.close();
      throw error;
    });
    try {
      return await use({ ...work, units, owner, serials });
    } finally {
      units.close();
      serials?.ledger.close();
    }
  });

/** Throws `bad-usage` where the job forbids printing a spoiled label again. */
export function refuseReprint({ job }: Pick<UnitOrder, "job">, hint: string): void {
  const policy = job.output.sheets?.reprint ?? "same";
  if (policy === "same") return;
  throw new AppError(
    "bad-usage",
    `labels of this job must not be printed a second time (output.sheets.reprint: ${policy})`,
    { hint, where: { file: job.file, field: "output.sheets.reprint" } },
  );
}
