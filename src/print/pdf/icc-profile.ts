import { readFile } from "node:fs/promises";

import { packagePath } from "../../base/files/package-files.ts";
import { AppError, type Problem, toMessage } from "../../base/errors.ts";

/** The printing condition that a file is made for. */
export interface OutputIntent {
  /** Name of the condition in the registry, or the shop's own. */
  readonly condition: string;
  readonly info: string;
  readonly registry: string;
  readonly profile: Uint8Array;
}

/** The fields of an ICC header that a press profile is judged by. */
export interface IccHeader {
  readonly bytes: number;
  readonly deviceClass: string;
  readonly colorSpace: string;
  readonly version: number;
  readonly signature: string;
}

const HEADER_BYTES = 128;

/** Undefined when the bytes are too few to be a profile. */
export function readIccHeader(profile: Uint8Array): IccHeader | undefined {
  if (profile.length < HEADER_BYTES) return undefined;
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const ascii = (at: number): string => String.fromCharCode(...profile.subarray(at, at + 4));
  return {
    bytes: view.getUint32(0),
    version: view.getUint8(8),
    deviceClass: ascii(12),
    colorSpace: ascii(16),
    signature: ascii(36),
  };
}

/** Why a profile can't be an output intent: it must be of class prtr, CMYK and whole. */
export function checkOutputProfile(profile: Uint8Array): Problem[] {
  const header = readIccHeader(profile);
  if (header === undefined || header.signature !== "acsp") {
    return [
      {
        message: `output profile must be an ICC profile, got ${profile.length} bytes of something else`,
      },
    ];
  }
  const problems: Problem[] = [];
  if (header.bytes !== profile.length) {
    problems.push({
      message: `output profile must be as long as its header says, ${header.bytes} bytes, got ${profile.length}`,
    });
  }
  if (header.deviceClass !== "prtr") {
    problems.push({
      message: `output profile must be of class prtr (a printing device), got ${header.deviceClass}`,
    });
  }
  if (header.colorSpace !== "CMYK") {
    problems.push({ message: `output profile must be CMYK, got ${header.colorSpace.trim()}` });
  }
  return problems;
}

/** All inks together, as a share of one full ink, where no condition says less (docs/spec/print.md section 4). */
const INK_LIMIT = 3;
/** Newsprint takes less: SNAP's own guidelines. */
const NEWSPRINT_INK_LIMIT = 2.6;

/** Printing conditions whose data may be passed on, by their common names. */
export const outputConditions = {
  FOGRA39: {
    file: "coated39.icc",
    condition: "FOGRA39",
    info: "Coated offset, FOGRA39 characterisation data",
  },
  FOGRA29: {
    file: "uncoated29.icc",
    condition: "FOGRA29",
    info: "Uncoated offset, FOGRA29 characterisation data",
  },
  GRACoL: {
    file: "gracol.icc",
    condition: "CGATS TR 006",
    info: "GRACoL on grade 1 coated paper, CGATS TR 006 characterisation data",
  },
  SWOP3: {
    file: "swop3.icc",
    condition: "CGATS TR 003",
    info: "SWOP on grade 3 coated paper, CGATS TR 003 characterisation data",
  },
  SNAP: {
    file: "snap.icc",
    condition: "CGATS TR 002",
    info: "SNAP coldset on newsprint, CGATS TR 002 characterisation data",
  },
} as const;
export type ConditionName = keyof typeof outputConditions;

/** The shop's own profile, with the name of the condition that it stands for. */
export interface OwnProfile {
  readonly file: string;
  readonly condition: string;
}

const profiles = new Map<ConditionName, Promise<Uint8Array>>();

async function readBundled(name: ConditionName): Promise<Uint8Array> {
  const { file } = outputConditions[name];
  const known = profiles.get(name) ?? readFile(packagePath(`templates/icc/${file}`));
  profiles.set(name, known);
  return known;
}

/** How much ink a condition takes on one place, as a share of one full ink: 3 is 300%. */
export const inkLimitOf = (icc: OwnProfile | ConditionName | undefined): number =>
  icc === "SNAP" ? NEWSPRINT_INK_LIMIT : INK_LIMIT;

/** A condition by its name, FOGRA39 by default, or the shop's profile. Throws `bad-usage`. */
export async function loadOutputIntent(
  own: OwnProfile | ConditionName = "FOGRA39",
): Promise<OutputIntent> {
  if (typeof own === "string") {
    const { condition, info } = outputConditions[own];
    const profile = await readBundled(own);
    return { condition, info, registry: "http://www.color.org", profile };
  }
  const profile = await readFile(own.file).catch((cause: unknown) => {
    throw new AppError("bad-usage", `output profile must be readable, got ${toMessage(cause)}`, {
      where: { file: own.file },
      cause,
    });
  });
  const problems = checkOutputProfile(profile);
  if (problems.length > 0) {
    throw new AppError("bad-usage", "output profile must be a CMYK printing profile", {
      where: { file: own.file },
      problems,
    });
  }
  return {
    condition: own.condition,
    info: own.condition,
    registry: "http://www.color.org",
    profile,
  };
}
