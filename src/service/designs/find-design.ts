import { readFile } from "node:fs/promises";
import path from "node:path";

import { AppError } from "../../base/errors.ts";
import { readBuiltInTemplates } from "./built-in.ts";
import { findBuiltIn, toDesignInput, type NamedDesign } from "./row-design.ts";

async function readDesignFile(file: string): Promise<NamedDesign> {
  const value = JSON.parse(await readFile(file, "utf8")) as {
    readonly title?: unknown;
    readonly design?: unknown;
  };
  const title = typeof value.title === "string" ? value.title : path.parse(file).name;
  return { title, design: toDesignInput(value.design ?? value, { file }) };
}

/**
 * A design by name, or from a JSON file like those in `templates/designs/`. Throws `bad-usage` when
 * there is neither, `design-invalid` when the file holds something else.
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
