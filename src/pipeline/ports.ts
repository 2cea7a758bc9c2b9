/** What the engine gets from outside. It imports nothing of that itself. */
import type { Clock } from "../base/time/clock.ts";
import type { Ids } from "../base/ids/ids.ts";
import type { Transport } from "../client/wire.ts";
import type { Drawer } from "../print/draw/volume-task.ts";
import type { ReportWords } from "../pack/report-words.ts";
import type { Prover } from "../verify/proof/prover.ts";
import type { SettingNames } from "./address/setting-names.ts";
import type { JobEvent } from "./events.ts";
import type { ReadStream } from "./source/kept-source.ts";

export type { ReportWords } from "../pack/report-words.ts";

/** A change that wants a yes before it begins. */
export interface Question {
  readonly does: "make" | "restyle" | "change" | "put-back" | "file" | "delete" | "void";
  /** What is made or changed, one of it, such as `code` or `product`. */
  readonly thing: string;
  readonly count: number;
  /** `put-back`: when the run that is undone began. */
  readonly before?: string;
  /** `put-back`: so many runs that count as one; left out where it is one. */
  readonly runs?: number;
  /** `file`: path of the folder. */
  readonly folder?: string;
  /** `delete`: so many are dynamic, and dead in print from then on. */
  readonly dying?: number;
  /** `void`: keys of the rows. */
  readonly keys?: readonly string[];
}

/**
 * The service in this process: where it keeps its data, and the address that others reach it by.
 */
export interface EmbeddedChoice {
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly limits: "off" | "hosted";
  /** New codes have links in capitals. */
  readonly capitalLinks: boolean;
  /** Logos and PDFs may lie at private addresses. */
  readonly allowPrivateFetch?: boolean | undefined;
}

/** An opened service in this process. Close it when the job is over. */
export interface EmbeddedServer {
  readonly baseUrl: string;
  readonly token: string;
  readonly workspace: string;
  close(): Promise<void>;
}

/** A design template, as the API shows it (docs/spec/api.md section 2.3). */
export interface BuiltInTemplate {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

/** How jobs get at a server. The engine knows the API; it never knows who serves it. */
export interface ServerPort {
  /** Opens the service in this process, on a real port of the loopback interface. */
  open(choice: EmbeddedChoice, needs: Pick<Ports, "clock" | "ids">): Promise<EmbeddedServer>;
  /**
   * The public address that a data folder keeps, whether codes have it, and the workspace of its
   * jobs: null where there is none yet, undefined where that is unknown. Looks only.
   */
  address(dataDir: string): Promise<{
    readonly kept: string | undefined;
    readonly hasLinks: boolean;
    readonly workspace?: string | null | undefined;
  }>;
  /** Keeps it there. */
  keepAddress(dataDir: string, publicUrl: string): Promise<void>;
  /** Design templates that such a service has from the beginning, in the fields of the API. */
  templates(): Promise<readonly BuiltInTemplate[]>;
  /** Makes codes void that are spoiled on paper (docs/ledger.md); answers how many the data folder has. */
  makeVoid(
    dataDir: string,
    request: { readonly ids: readonly string[]; readonly nowMs: number },
  ): Promise<number>;
  /** Id of a void code -> how often it was scanned since it is void; null: the code was deleted. */
  countVoidScans(
    dataDir: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number | null>>;
  /** Id of a code -> its whole design in the fields of the API, with `has_logo`. Looks only. */
  designs(
    dataDir: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  /** Id of a code or short link that ever led elsewhere -> where it leads now. Looks only. */
  moved(dataDir: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Id of a code or short link -> its name, and the path of its folder; undefined where there is
   * nothing to look at. Looks only.
   */
  named(
    dataDir: string,
    ids: readonly string[],
  ): Promise<
    ReadonlyMap<string, { readonly name: string; readonly folder: string | undefined }> | undefined
  >;
  /** Those of these codes that are void there. Looks only. */
  voided(dataDir: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those of these landing pages and forms that are there, with a code or without. Looks only. */
  hosted(dataDir: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Path of a Digital Link -> where its product leads now, by link type; of products that jobs of
   * this folder have registered. Looks only.
   */
  products(
    dataDir: string,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>;
}

/** What opens a remote server; wins over what the manifest says. */
export interface Access extends SettingNames {
  readonly token: string | undefined;
  readonly workspace: string | undefined;
}

/** What may be done next with a job. */
export type JobCommand =
  | "run"
  | "plan"
  | "mend"
  | "doctor"
  | "retry"
  | "undo"
  | "retire"
  | "replace"
  | "void";

/** How a shown command differs from what was called. */
export interface NextWords {
  /** Words behind it, such as `--yes`. */
  readonly more?: readonly string[];
  /** Options of the step that is over, such as `limit`. */
  readonly without?: readonly string[];
  /** The same step goes on: a yes that was given for it holds. Any other one asks again. */
  readonly again?: boolean;
}

/** A command that can be carried out as it stands, on the same job in the same places. */
export type CommandOf = (command: JobCommand, words?: NextWords) => string;

/** What a report leaves out of its command, since it is read long after the step. */
export const STEP_OPTIONS = ["limit", "plan"] as const;

/** The languages of reports. */
export interface ReportLanguages {
  /** The one that is asked for; default: that of the report before, else English. */
  readonly language?: string | undefined;
  /** Undefined where there are none: English stands for them. */
  readonly words: (language: string) => Promise<ReportWords | undefined>;
}

export interface Ports {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Aborted when the job is to stop: what is in flight ends, nothing new is begun. */
  readonly signal: AbortSignal;
  /** Name and version of the program. */
  readonly writer: string;
  /** Folder of the program, above its code; default: that of the program that runs. */
  readonly programFolder?: string | undefined;
  /** Labels whose codes are all decoded whatever a job asks for; default: `MOST_DECODED_ALL`. */
  readonly mostDecodedAll?: number | undefined;
  readonly server: ServerPort;
  readonly access: Access;
  /** Carries requests to a remote server; default: the network. */
  readonly transport?: Transport | undefined;
  /** Reads standard input and web addresses that hold the rows of a job; left out: such jobs are refused. */
  readonly readStream?: ReadStream | undefined;
  /** Answers whether a large change may begin; undefined where no one can be asked. */
  readonly confirm?: ((question: Question) => Promise<boolean>) | undefined;
  /** Default: reports are English. */
  readonly report?: ReportLanguages | undefined;
  /** Who proves sheets and pictures; default: threads of this process. */
  readonly prover?: Prover | undefined;
  /** Who draws the volumes of large jobs; default: this thread. */
  readonly drawer?: Drawer | undefined;
  /** Called for everything that happens, in order. */
  readonly on: (event: JobEvent) => void;
  /** The command that goes on with this job, as people are shown it. */
  readonly commandOf: CommandOf;
}
