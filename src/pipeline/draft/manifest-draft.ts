/** Manifests as a person would write them, for each thing that a row may become. Pure. */
import { toSlug } from "../../base/slug.ts";
import {
  nameColumns,
  quote,
  toKeyLine,
  toOutputLines,
  toRuleLine,
  type NamedColumn,
} from "./manifest-lines.ts";
import {
  field,
  rolesOf,
  thingLines,
  typeOf,
  type Chosen,
  type Role,
  type Thing,
} from "./things.ts";

export interface ManifestDraft {
  /** Lower-case letters, digits, hyphens. */
  readonly name: string;
  /** As the manifest writes it. */
  readonly file: string;
  readonly sheetName?: string | undefined;
  readonly headerRow?: number | undefined;
  readonly thing: Thing;
  /** Role -> header of the spreadsheet. */
  readonly columns: Partial<Record<Role, string>>;
  /** Websites stand there without https://: texts like the others, of which no row is refused. */
  readonly hasBareWebsites?: boolean;
  /** Expiry dates stand there as GS1 writes them, which no format of dates reads: texts, too. */
  readonly hasGs1Dates?: boolean;
  /** Headers that tell rows apart. */
  readonly key: readonly string[];
  /** Headers of the lines under the code. */
  readonly caption: readonly string[];
  /** Label sheet; undefined: pictures and archive only. */
  readonly sheet?: string | undefined;
}

/** Cells that stay as they are. */
const keepsText = (
  role: Role,
  { hasBareWebsites = false, hasGs1Dates = false }: ManifestDraft,
): boolean => (role === "website" && hasBareWebsites) || (role === "expiry" && hasGs1Dates);

function columnLines(draft: ManifestDraft, columns: readonly NamedColumn[]): string[] {
  const roles = Object.entries(draft.columns) as [Role, string][];
  const { needed } = rolesOf[draft.thing];
  return columns.map(({ name, header }) => {
    const [role] = roles.find(([, of]) => of === header) ?? [];
    const isText = role === undefined || keepsText(role, draft);
    const type = isText ? undefined : typeOf(role, draft.thing);
    const isRequired = draft.key.includes(header) || (role !== undefined && needed.includes(role));
    return toRuleLine({ name, header, type, isRequired });
  });
}

function outputLines({ name, sheet, thing }: ManifestDraft, lines: readonly string[]): string[] {
  const slug = toSlug(name);
  if (!rolesOf[thing].hasLabels) return ["output:", `  dir: out/${slug}`, "  index: [csv]"];
  return toOutputLines(
    slug,
    sheet === undefined ? undefined : { sheet, caption: `[${lines.join(", ")}]` },
  );
}

/** The manifest, with a word on the lines that people change first. */
export function writeManifest(draft: ManifestDraft): string {
  const { thing, name } = draft;
  const { kind, hasLabels } = rolesOf[thing];
  const shownBy = hasLabels ? [...draft.key, ...draft.caption] : [];
  const columns = nameColumns([...new Set([...shownBy, ...Object.values(draft.columns)])]);
  const nameOf = (header: string): string =>
    columns.find((column) => column.header === header)?.name ?? header;
  const [first] = Object.values(draft.columns);
  const shown =
    [draft.caption, draft.key, first === undefined ? [] : [first]].find(
      (headers) => headers.length > 0,
    ) ?? [];
  const chosen: Chosen = {
    template: (role, filter) => {
      const header = draft.columns[role];
      if (header === undefined) return undefined;
      const filtered = filter === undefined || keepsText(role, draft) ? "" : ` | ${filter}`;
      return quote(`{{ ${nameOf(header)}${filtered} }}`);
    },
    header: (role) => draft.columns[role],
    name: quote(shown.map((header) => `{{ ${nameOf(header)} }}`).join(" / ")),
  };
  const lines = shown.map((header) => quote(`{{ ${nameOf(header)} }}`));
  return `${[
    "# Made with the desk. Run it there, or with `makeready run`.",
    "version: 1",
    `name: ${toSlug(name)}`,
    `kind: ${kind}`,
    "source:",
    `  file: ${quote(draft.file)}`,
    ...field("  ", "sheet", draft.sheetName === undefined ? undefined : quote(draft.sheetName)),
    ...field("  ", "header_row", draft.headerRow?.toString()),
    // Codes that exist are told apart by themselves.
    ...(thing === "retarget" ? [] : [toKeyLine(draft.key.map(nameOf))]),
    "  columns:",
    ...columnLines(draft, columns),
    ...thingLines[thing](chosen),
    ...outputLines(draft, lines),
  ].join("\n")}\n`;
}
