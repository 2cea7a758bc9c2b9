/** Limits that no real page reaches: a few bytes of packed content could exceed any of them. */

/** Levels of `q` and of marked content; PDF itself names 28. */
const MAX_NESTING = 1000;
/** Of one operator; PDF itself names 33. */
const MAX_OPERANDS = 1000;
/** Of one page that is kept; a sheet of a thousand labels has 20 000. */
const MAX_MARKS = 1_000_000;
/** More faults than a person reads. */
const MAX_FAULTS = 1000;

export function checkNesting(operator: string, depth: number): void {
  if (depth >= MAX_NESTING)
    throw new SyntaxError(`${operator} must nest at most ${MAX_NESTING} levels deep, got more`);
}

export function checkOperands(count: number): void {
  if (count > MAX_OPERANDS)
    throw new SyntaxError(`operator must have at most ${MAX_OPERANDS} operands, got more`);
}

export function checkMarks(count: number): void {
  if (count > MAX_MARKS)
    throw new SyntaxError(`page must have at most ${MAX_MARKS} marks, got more`);
}

export const areManyFaults = (count: number): boolean => count >= MAX_FAULTS;
