const formats = new Map<string, Intl.NumberFormat>();

/** A format of numbers, made once: to make one takes as long as to write a thousand numbers. */
export function numberFormat(
  language: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const key = JSON.stringify([language, options]);
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, format);
  return format;
}
