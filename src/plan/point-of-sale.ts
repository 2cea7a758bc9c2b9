/**
 * Whether a till can read the code of a row: its text, its level and its design (docs/spec/print.md
 * section 5). Size and inks are judged with the sheets.
 */
import { toLevel } from "../api/design.ts";
import { toStaticPayload } from "../api/payload.ts";
import type { Problem } from "../base/errors.ts";
import { quoteText } from "../base/text/words.ts";
import { isUriFault, parseDigitalLinkUri } from "../gs1/digital-link-uri.ts";
import type { JobSheets } from "../job/job.ts";
import type { Wanted } from "../state/row.ts";
import type { ColorFindings } from "./contrast.ts";
import { toDigitalLinkOf } from "./product-wish.ts";

const GTIN = "01";
const PRODUCT_HINT =
  "tills read GTINs: give identifier_type 01 and a GTIN, or leave application: gs1-pos out";
const LINK_HINT = "make a Digital Link: https://id.example.com/01/ and the GTIN of 14 digits";
/** Stands in for the host that only the server knows. */
const ANY_HOST = "https://id.example.com";

function findPayloadFault(wanted: Wanted): Problem | undefined {
  if (wanted.type === "GS1") {
    const uri = `${ANY_HOST}${toDigitalLinkOf(wanted) ?? ""}`;
    return findLinkFault(uri, PRODUCT_HINT);
  }
  if (wanted.dynamic) {
    return {
      message: "a code for tills must hold a GS1 Digital Link, got a short link, which has no GTIN",
      hint: "set code.dynamic: false with a Digital Link, or make products",
    };
  }
  if (wanted.type !== "Link") {
    return {
      message: `a code for tills must hold a GS1 Digital Link, got a ${wanted.type} code`,
      hint: LINK_HINT,
    };
  }
  return findLinkFault(toStaticPayload(wanted));
}

function findLinkFault(uri: string, hint = LINK_HINT): Problem | undefined {
  const parsed = parseDigitalLinkUri(uri);
  if (isUriFault(parsed)) {
    return {
      message: `a code for tills must hold a GS1 Digital Link, got ${quoteText(uri)}. ${parsed.detail}`,
      hint,
    };
  }
  const [key] = parsed.path[0] ?? [];
  if (key === GTIN) return undefined;
  return {
    message: `the Digital Link of a code for tills must begin with a GTIN (AI ${GTIN}), got AI ${key}`,
    hint,
  };
}

function findLevelFault(wanted: Wanted): Problem | undefined {
  if (toLevel(wanted) !== "L") return undefined;
  return {
    message: "error_correction of a code for tills must be M, Q or H, got L",
    hint: "leave error_correction out, or set M",
  };
}

const PLAIN_LOOKS = { pattern: "Original", eye_style: "Square" } as const;

/** Faults of the server's drawing, where the sheets show that. */
function findLookFaults({ design }: Wanted, colors: ColorFindings): Problem[] {
  const hint = "leave it out of the design, or print whole modules: artwork: redraw";
  const shapes = Object.entries(PLAIN_LOOKS).flatMap(([field, plain]) => {
    const value = design[field];
    if (value === undefined || value === plain) return [];
    return [{ message: `${field} of a code for tills must be ${plain}, got ${value}`, hint }];
  });
  const logo = design["logo_url"] === undefined ? [] : [{ message: NO_LOGO, hint }];
  return [...shapes, ...logo, ...colors.poor.map((message) => ({ message, hint: COLOR_HINT }))];
}

const NO_LOGO = "a code for tills must have no logo_url: it takes what damage in print needs";
const COLOR_HINT = "take black, or another ink that is dark in red light";

/** Each reason why a till may refuse the row's code; none where the sheets are for other uses. */
export function findTillFaults(
  wanted: Wanted,
  sheets: JobSheets | null,
  colors: ColorFindings,
): Problem[] {
  if (sheets?.application !== "gs1-pos") return [];
  return [
    findPayloadFault(wanted),
    findLevelFault(wanted),
    ...(sheets.artwork === "server" ? findLookFaults(wanted, colors) : []),
  ].filter((fault) => fault !== undefined);
}
