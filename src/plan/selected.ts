/** Codes that exist, as rows: where their files go, and which design they are to have. Pure. */
import { AppError, type Problem } from "../base/errors.ts";
import { contrastHint } from "../base/color/contrast.ts";
import { toFilePath } from "../base/files/file-name.ts";
import { toSlug } from "../base/text/slug.ts";
import type { JobOutput } from "../job/job.ts";
import { renderTemplate, type TemplateContext } from "../job/template/template.ts";
import type { KnownRow, PlannedRow, Wanted } from "../state/row.ts";
import { checkColors } from "./contrast.ts";
import { toWishHashes } from "./hash.ts";
import { FreeNames } from "./names.ts";
import { findPlaceholder } from "./placeholder.ts";
import type { DesignFields } from "./restyle.ts";
import { toCaption, toGroup } from "./wish.ts";

/** A code as the list shows it. */
export interface SelectedCode {
  readonly id: string;
  readonly name: string;
  readonly shortLink: string | null;
  /** Where it leads, or what it holds. */
  readonly destination: string | null;
  readonly type: string;
  readonly isDynamic: boolean;
  readonly folder: { readonly path: string } | null;
  /** Titles. */
  readonly tags: readonly string[];
  /** ISO. */
  readonly created: string;
}

export interface SelectedOptions {
  readonly output: JobOutput;
  /** Fields with templates; empty for jobs that change no design. */
  readonly design: DesignFields;
  /** Codes whose colours would not scan. */
  readonly contrast: "refuse" | "warn";
  /** What is wrong with the texts that a code's design shows; left out where codes fill in none. */
  readonly textsFit?: ((design: DesignFields) => readonly Problem[]) | undefined;
  readonly context: TemplateContext;
  readonly known: (key: string) => KnownRow | undefined;
}

export interface SelectedRow {
  readonly row: PlannedRow;
  /** The state says that the code has this design already. */
  readonly isDesigned: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** The columns of a code that templates may use (`codeColumns`). */
export function toValues(code: SelectedCode): Record<string, string> {
  return {
    id: code.id,
    display_name: code.name,
    qr_data: code.destination ?? "",
    qr_type: code.type,
    shortlink_url: code.shortLink ?? "",
    folder: code.folder?.path ?? "",
    created: code.created,
  };
}

const TYPES = ["Link", "Text", "vCard", "GS1"] as const;

/** A code as the list shows it, and the design that it is to get. */
export function toListedWish(
  code: Pick<SelectedCode, "type" | "isDynamic" | "destination" | "name" | "folder" | "tags">,
  design: DesignFields = {},
): Wanted {
  return {
    // An unknown type counts as Text.
    type: TYPES.find((type) => type === code.type) ?? "Text",
    dynamic: code.isDynamic,
    qrData: code.destination,
    displayName: code.name,
    folder: code.folder?.path ?? null,
    tags: code.tags,
    gpsTracking: false,
    domain: null,
    vcard: null,
    gs1Product: null,
    design,
  };
}

/** Lists need not show the contact of a static vCard (docs/spec/api.md section 2.1). */
const toUntold = ({ name }: SelectedCode): Problem => ({
  message: `${name}: the server doesn't show what this static code holds, so it is on no sheet`,
  hint: "its files are fetched all the same",
});

export const COLOR_HINT = contrastHint("restyles");

const NAMES_COLUMN = /\{\{/u;

/** A colour that is the same for all codes is reported once, not at each code. */
const isOfCode = (design: DesignFields): boolean =>
  ["primary_color", "eye_color", "background_color"].some((field) =>
    NAMES_COLUMN.test(String(design[field] ?? "")),
  );

/** Problems of colours that all codes share; empty where each code has its own. */
export const findUnreadable = (design: DesignFields): readonly string[] =>
  isOfCode(design) ? [] : checkColors(design).unreadable;

/** Whether the job makes pictures of codes. */
const isShown = ({ sheets, files }: JobOutput): boolean => sheets !== null || files.length > 0;

export class SelectionPlanner {
  readonly #options: SelectedOptions;
  readonly #names = new FreeNames();
  #seq = 0;

  constructor(options: SelectedOptions) {
    this.#options = options;
  }

  /**
   * Plans the next code; `told`: its design, for jobs that leave that as it is. A cell that doesn't
   * fit a filter is its problem.
   */
  add(code: SelectedCode, told: DesignFields = {}): SelectedRow {
    const values = toValues(code);
    const { output, context, known } = this.#options;
    const render = (template: string): string => renderTemplate(template, values, context);
    const { design, problems, warnings } = this.#toDesign(code, render);
    const isUntold = !code.isDynamic && (code.destination ?? "") === "";
    const wanted = toListedWish(code, { ...told, ...design });
    const hashes = toWishHashes(wanted);
    const seq = this.#seq++;
    const row: PlannedRow = {
      key: code.id,
      seq,
      line: seq + 1,
      cells: values,
      wanted,
      ...hashes,
      placing: {
        fileBase: this.#names.toFile(
          toFilePath(render(output.fileName)) || toSlug(code.name) || code.id,
        ),
        zip: this.#names.toGroup("zip", toGroup(output.zip, { values }, render, ".zip")),
        sheets: isUntold
          ? null
          : this.#names.toGroup("sheets", toGroup(output.sheets, { values }, render, ".pdf")),
        caption: toCaption(output.sheets, { values }, context),
      },
      again: false,
    };
    const old = known(code.id);
    const isDesigned = old?.state === "done" && old.madeDesignHash === hashes.designHash;
    const unprintable = isUntold && output.sheets !== null ? [toUntold(code)] : [];
    const doubted = isShown(output) ? findPlaceholder(wanted) : [];
    return { row, isDesigned, problems, warnings: [...warnings, ...unprintable, ...doubted] };
  }

  #toDesign(code: SelectedCode, render: (template: string) => string) {
    const { design: fields, contrast, textsFit } = this.#options;
    try {
      const design = Object.fromEntries(
        Object.entries(fields).map(([field, value]) => [
          field,
          typeof value === "string" ? render(value) : value,
        ]),
      );
      const colors = checkColors(design);
      const faults = [
        ...colors.problems.map((message) => ({ message, hint: undefined })),
        ...(textsFit?.(design) ?? []),
      ];
      const invalid = faults.map(({ message, hint }) => ({
        message: `${code.name}: ${message}`,
        hint,
      }));
      const unreadable = colors.unreadable.map((message) => ({
        message: isOfCode(fields) ? `${code.name}: ${message}` : message,
        hint: COLOR_HINT,
      }));
      return contrast === "refuse"
        ? { design, problems: [...invalid, ...unreadable], warnings: [] }
        : { design, problems: invalid, warnings: unreadable };
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "input") throw error;
      const problems = [{ message: `${code.name}: ${error.message}`, hint: error.hint }];
      return { design: {}, problems, warnings: [] };
    }
  }
}
