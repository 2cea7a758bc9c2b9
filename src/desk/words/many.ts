/** `1 row`, `2 rows`: the count as the reader's language writes it, and the word that fits. */
export const many = (count: string, one: string, more: string): string =>
  `${count} ${count === "1" ? one : more}`;
