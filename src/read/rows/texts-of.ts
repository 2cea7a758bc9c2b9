export type Texts = Record<string, string>;

/**
 * Makes objects without Object.prototype, so that a column may be called `__proto__`. Unlike
 * Object.create(null), they keep fast properties.
 */
export const TextsOf = function () {} as unknown as new () => Texts;
Object.defineProperty(TextsOf, "prototype", { value: Object.freeze(Object.create(null)) });
