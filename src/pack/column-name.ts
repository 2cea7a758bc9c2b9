/** The letters of a spreadsheet column, counted from 0: A … Z, AA, AB … */
export function makeColumnName(index: number): string {
  let name = "";
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    name = String.fromCharCode(65 + (rest % 26)) + name;
  }
  return name;
}
