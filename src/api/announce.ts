/**
 * What the API's description says about shapes: their names, and what our own service sends.
 * Clients accept less, since other servers may send less.
 */
import { z } from "zod";

/** Name -> shape: one for each thing of the description. */
const shapes = new Map<string, z.ZodType>();
const names = new WeakMap<z.ZodType, string>();

export const namedShapes: ReadonlyMap<string, z.ZodType> = shapes;

/** A shape's name in the description; undefined if it has none. */
export const nameOf = (shape: z.ZodType): string | undefined => names.get(shape);

export function named<Shape extends z.ZodType>(name: string, shape: Shape): Shape {
  if (shapes.has(name)) throw new RangeError(`a name must belong to one shape, got ${name} twice`);
  shapes.set(name, shape);
  names.set(shape, name);
  return shape;
}

/** Shape that clients read with -> what our service sends. */
const sentShapes = new WeakMap<z.ZodType, z.ZodType>();

/** What our service sends of an answer that clients read with `shape`. */
export const sentShapeOf = (shape: z.ZodType): z.ZodType => sentShapes.get(shape) ?? shape;

export function readAs<Shape extends z.ZodType>(sent: z.ZodType, shape: Shape): Shape {
  sentShapes.set(shape, sent);
  return shape;
}

/** A field that only our service is known to send: any value is accepted. */
export const anything = z.unknown().optional();
/** A word for which other servers may have other values. */
export const word = z.string().nullish();

type Fields = Readonly<Record<string, z.ZodType>>;

type Read<Sent extends Fields, Needed extends keyof Sent, Other> = {
  [Name in keyof Sent]: Name extends keyof Other
    ? Other[Name]
    : Name extends Needed
      ? Sent[Name]
      : z.ZodOptional<z.ZodNullable<Sent[Name]>>;
};

/**
 * The shape by which clients read `sent` from any server: only `needed` must be there; everything
 * else may be missing or null. `other` has fields that accept more than our service sends.
 */
export function ofAnyServer<
  Sent extends Fields,
  Needed extends keyof Sent,
  const Other extends { readonly [Name in keyof Sent]?: z.ZodType },
>(
  sent: z.ZodObject<Sent>,
  { needed, other }: { readonly needed: readonly Needed[]; readonly other: Other },
) {
  const fields = Object.entries(sent.shape as Fields).map(([name, field]) => {
    const isNeeded = needed.some((one) => one === name);
    return [name, other[name] ?? (isNeeded ? field : field.nullish())] as const;
  });
  const shape = Object.fromEntries(fields) as Read<Sent, Needed, Other>;
  return readAs(sent, z.looseObject(shape));
}
