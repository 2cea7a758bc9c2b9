import { readdirSync, readFileSync } from "node:fs";

import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { kinds } from "../../src/kinds/names.ts";
import { jobSchema } from "../../src/kinds/schema.ts";

type Schema = { readonly [key: string]: unknown };

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Every property of every object in a schema, by path. */
function* properties(schema: unknown, path = ""): Generator<[path: string, schema: Schema]> {
  if (!isSchema(schema)) return;
  for (const key of ["oneOf", "anyOf", "items", "additionalProperties"]) {
    const below = schema[key];
    for (const one of Array.isArray(below) ? (below as unknown[]) : [below])
      yield* properties(one, path);
  }
  for (const [name, one] of Object.entries((schema["properties"] as Schema | undefined) ?? {})) {
    if (!isSchema(one)) continue;
    yield [`${path}.${name}`, one];
    yield* properties(one, `${path}.${name}`);
  }
}

describe("schema/job.v1.json", () => {
  const file = new URL("../../schema/job.v1.json", import.meta.url);

  it("is what the shapes say", () => {
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(jobSchema());
  });

  it("describes every field in one line, with a full stop", () => {
    const all = [...properties(jobSchema())];
    expect(all.length).toBeGreaterThan(70);
    const bare = all.filter(
      ([, { description }]) =>
        typeof description !== "string" || !/^[^\n]{4,120}\.$/u.test(description),
    );
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it("has one shape per kind, recognised by it", () => {
    const { oneOf } = jobSchema() as { oneOf: { properties: { kind: { const: string } } }[] };
    expect(oneOf.map(({ properties }) => properties.kind.const)).toEqual(kinds);
  });

  it("refuses unknown fields and asks for the four that are needed", () => {
    expect(jobSchema("codes")).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      additionalProperties: false,
      required: ["version", "kind", "source", "code"],
    });
  });

  it("accepts every manifest of jobs/, and shows editors what is wrong with others", () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    const validate = ajv.compile(jobSchema() as object);
    const jobs = new URL("../../jobs/", import.meta.url);
    for (const name of readdirSync(jobs)) {
      const isValid = validate(parse(readFileSync(new URL(name, jobs), "utf8")));
      expect([name, isValid, validate.errors]).toEqual([name, true, null]);
    }
    expect(validate({ version: 1, kind: "links", source: "a.csv", link: { lnk: "x" } })).toBe(
      false,
    );
  });
});
