/** Rules over more than one field of where rows come from. */
import { countSerials, serialAlphabets, type SerialAlphabet } from "../base/ids/serials.ts";
import { isWebAddress } from "../base/files/stream-name.ts";
import { isUrl } from "../base/text/url.ts";
import { MOST_MADE_ROWS } from "../job/shapes/source-shape.ts";
import { columnsOf, readTemplate } from "../job/template/template.ts";
import type { Finding, ManifestTree } from "../job/yaml/manifest-tree.ts";
import type { TreePath } from "../job/yaml/tree.ts";

const RANGE: TreePath = ["source", "range"];
const LENGTH: TreePath = ["source", "serial", "length"];

function checkRange(manifest: ManifestTree): Finding[] {
  const numbers = manifest
    .list(RANGE)
    .map((node) => (node.kind === "scalar" ? Number(node.text) : Number.NaN));
  const [first = Number.NaN, last = Number.NaN] = numbers;
  if (Number.isNaN(first - last)) return [];
  const got = `got [${first}, ${last}]`;
  if (last < first) {
    const hint = "the first number comes first";
    return [{ path: RANGE, rule: `must not end before it begins, ${got}`, hint }];
  }
  if (last - first < MOST_MADE_ROWS) return [];
  const rule = `must have ${MOST_MADE_ROWS} numbers at most, ${got}`;
  return [{ path: RANGE, rule, hint: "split the job" }];
}

const toNumber = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Number(text);

const isAlphabet = (text: string): text is SerialAlphabet => Object.hasOwn(serialAlphabets, text);

/** Half of the serials stay free: otherwise free ones are slow to find, and used ones easy to guess. */
function checkRoom(manifest: ManifestTree): Finding[] {
  const rows = Number(manifest.text(["source", "rows"]));
  const length = toNumber(manifest.text(LENGTH), 12);
  const alphabet = manifest.text(["source", "serial", "alphabet"]) ?? "safe32";
  const check = manifest.is(["source", "serial", "check"], true);
  const isReadable = Number.isInteger(rows) && Number.isInteger(length) && length > 0;
  if (!isReadable || length > 100 || !isAlphabet(alphabet)) return [];
  const count = countSerials({ length, alphabet, check });
  if (BigInt(rows) * 2n <= count) return [];
  const rule = `must give at least twice as many serials as there are rows (${rows}), got ${count}`;
  return [{ path: LENGTH, rule, hint: "make it larger" }];
}

/** Templates whose whole text is the serial number of a GS1 product. */
const GS1_SERIALS: readonly TreePath[] = [
  ["code", "gs1_product", "serial_number"],
  ["product", "serial_number"],
];
/** Templates that may be a GS1 Digital Link. */
const LINKS: readonly TreePath[] = [
  ["code", "qr_data"],
  ["link", "link"],
];
const SERIAL_IN_LINK = /\/21\/\{\{\s*serial\b/u;
/** GS1 General Specifications, AI (21). */
const MOST_OF_GS1 = 20;

function checkGs1(manifest: ManifestTree): Finding[] {
  const length = Number(manifest.text(LENGTH));
  if (!(length > MOST_OF_GS1)) return [];
  const isInProduct = GS1_SERIALS.some((path) =>
    columnsOf(readTemplate(manifest.text(path) ?? "").template).includes("serial"),
  );
  const isInLink = LINKS.some((path) => SERIAL_IN_LINK.test(manifest.text(path) ?? ""));
  if (!isInProduct && !isInLink) return [];
  const rule = `must be ${MOST_OF_GS1} at most where the serial is a GS1 serial number (21), got ${length}`;
  return [{ path: LENGTH, rule, hint: `length: ${MOST_OF_GS1}` }];
}

/** Addresses are shown and kept, so their visible part must hold no secret. */
function checkAddress(manifest: ManifestTree): Finding[] {
  const [short, long]: readonly TreePath[] = [["source"], ["source", "file"]];
  const path = manifest.text(short ?? []) === undefined ? (long ?? []) : (short ?? []);
  const file = manifest.text(path) ?? "";
  if (!isWebAddress(file)) return [];
  if (!/^https:/iu.test(file) || !isUrl(file)) {
    const hint = "what is fetched over http may be changed on its way";
    return [{ path, rule: "must be an https:// address where it is one", hint }];
  }
  const { username, password } = new URL(file);
  if (username === "" && password === "") return [];
  return [
    { path, rule: "must be without user and password", hint: "secrets stand in no manifest" },
  ];
}

const REPRINT: TreePath = ["output", "sheets", "reprint"];

/** Only serials can be minted again, and only as the key do they keep rows apart. */
function checkReprint(manifest: ManifestTree): Finding[] {
  if (manifest.text(REPRINT) !== "new") return [];
  const rule = 'must be "same" or "forbidden" where rows have no serials, got "new"';
  if (!manifest.has(["source", "serial"])) {
    const hint =
      "a spoiled label of a row is printed again as it is; serials are made by source.serial";
    return [{ path: REPRINT, rule, hint }];
  }
  const keys = manifest.list(["source", "key"]);
  if (keys.length === 0 || keys.some((key) => key.kind === "scalar" && key.text === "serial"))
    return [];
  const hint = "leave key out, or write key: [serial]";
  const keyRule =
    "must name serial where spoiled ones are minted anew (output.sheets.reprint: new)";
  return [{ path: ["source", "key"], rule: keyRule, hint }];
}

const PROOF: TreePath = ["output", "sheets", "proof"];
const ARTWORK: TreePath = ["output", "sheets", "artwork"];

/**
 * A sample needs rows that the job makes itself and codes that are drawn here: only these are alike
 * enough.
 */
function checkProof(manifest: ManifestTree): Finding[] {
  if (manifest.text(PROOF) !== "sampled") return [];
  if (!manifest.has(RANGE) && !manifest.has(["source", "serial"])) {
    const hint = "numbers are made by source.range, serials by source.serial";
    return [
      { path: PROOF, rule: 'must be "full" where rows are not generated, got "sampled"', hint },
    ];
  }
  if (manifest.text(ARTWORK) !== "server") return [];
  const hint = "leave out artwork: server";
  return [
    { path: PROOF, rule: 'must be "full" where the server draws the codes, got "sampled"', hint },
  ];
}

export function checkSource(manifest: ManifestTree): Finding[] {
  const address = checkAddress(manifest);
  if (address.length > 0) return address;
  const reprint = checkReprint(manifest);
  if (reprint.length > 0) return reprint;
  const proof = checkProof(manifest);
  if (proof.length > 0) return proof;
  if (manifest.has(RANGE)) return checkRange(manifest);
  if (!manifest.has(["source", "serial"])) return [];
  return [...checkRoom(manifest), ...checkGs1(manifest)];
}
