import { readFile } from "node:fs/promises";
import path from "node:path";

import { DesignFields } from "../../api/design.ts";
import { AppError, type Problem } from "../../base/errors.ts";
import type { DesignInput } from "../../qr/draw/design.ts";
import { readBuiltInTemplates, type Template } from "../../service/designs/built-in.ts";
import { overlayDesign } from "../../service/designs/design-fields.ts";

export interface NamedDesign {
  readonly title: string;
  readonly design: DesignInput;
}

/** Fields with the API's names -> a design, without the logo. Throws `design-invalid`. */
export function toDesignInput(fields: unknown, file?: string): DesignInput {
  const parsed = DesignFields.strict().safeParse(fields);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue): Problem => {
      const field = issue.path.join(".");
      return { message: `${field} ${issue.message}`.trim(), where: { file, field } };
    });
    throw new AppError("design-invalid", "the design must have valid fields", { problems });
  }
  const { logo: _hash, ...design } = overlayDesign({}, parsed.data);
  return design;
}

const isNamed = ({ id, title }: Template, name: string): boolean =>
  id === name || title.toLowerCase() === name.toLowerCase();

/** A design that comes along with the program, by its title or the name of its file. */
export async function findBuiltIn(name: string): Promise<NamedDesign | undefined> {
  const found = (await readBuiltInTemplates()).find((template) => isNamed(template, name));
  if (found === undefined) return undefined;
  const { logo: _hash, ...design } = found.design;
  return { title: found.title, design };
}

async function readDesignFile(file: string): Promise<NamedDesign> {
  const value = JSON.parse(await readFile(file, "utf8")) as {
    readonly title?: unknown;
    readonly design?: unknown;
  };
  const title = typeof value.title === "string" ? value.title : path.parse(file).name;
  return { title, design: toDesignInput(value.design ?? value, file) };
}

/**
 * A design by name, or from a JSON file that holds one as `templates/designs/` do. Throws
 * `bad-usage` when there is neither, `design-invalid` when the file holds something else.
 */
export async function findDesign(name: string, cwd: string): Promise<NamedDesign> {
  const builtIn = await findBuiltIn(name);
  if (builtIn !== undefined) return builtIn;
  try {
    return await readDesignFile(path.resolve(cwd, name));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const names = (await readBuiltInTemplates()).map(({ id }) => id).join(", ");
    throw new AppError(
      "bad-usage",
      `--design must be a JSON file or one of ${names}, got ${name}`,
      {
        cause: error,
      },
    );
  }
}
