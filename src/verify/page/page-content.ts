import { checkOperands } from "../pdf/content-limits.ts";
import { foreignOperators } from "../supplied/foreign-operators.ts";
import { type Operator, type Operators, PageReader } from "./page-reader.ts";
import { IDENTITY, type Matrix, multiply } from "./page-path.ts";
import type { PageContent, PageResources } from "./painted.ts";
import { Keyword, PdfLexer } from "../pdf/pdf-lexer.ts";
import { isArray, nameOf, type PdfNode } from "../pdf/pdf-node.ts";

const numbers = (operands: readonly PdfNode[]): number[] => operands.map(Number);
const toMatrix = (operands: readonly PdfNode[]): Matrix => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(operands);
  return [a, b, c, d, e, f];
};

const line: Operator = ({ path, current }, operands) => {
  for (let i = 0; i + 1 < operands.length; i += 2) {
    path.point(current.ctm, Number(operands[i]), Number(operands[i + 1]));
  }
};

const curve: Operator = (reader, operands) => {
  // Pages of others are judged by all points of their paths.
  if (reader.isForeign) line(reader, operands);
  else reader.path.curve(reader.current.ctm, operands as number[]);
};

const move: Operator = (reader, operands) => {
  // For pages of others, single lines are not kept.
  if (!reader.isForeign) reader.path.start();
  line(reader, operands);
};

/** Every operator that our pages may use; anything else is reported. */
const operators: Operators = {
  q: (reader) => reader.save(),
  Q: (reader) => reader.restore(),
  cm: (reader, operands) => {
    reader.current.ctm = multiply(toMatrix(operands), reader.current.ctm);
  },
  w: (reader, [width]) => {
    reader.current.lineWidth = Number(width);
  },
  BDC: (reader, [tag, name]) => reader.openMarked(nameOf(tag) ?? "", name ?? null),
  EMC: (reader) => reader.closeLayer(),
  gs: (reader, [name]) => reader.setState(nameOf(name) ?? ""),
  k: (reader, operands) => {
    reader.current.fill = { space: "DeviceCMYK", values: numbers(operands) };
  },
  K: (reader, operands) => {
    reader.current.stroke = { space: "DeviceCMYK", values: numbers(operands) };
  },
  cs: (reader, [name]) => {
    reader.current.fill = { space: nameOf(name) ?? "", values: [1] };
  },
  CS: (reader, [name]) => {
    reader.current.stroke = { space: nameOf(name) ?? "", values: [1] };
  },
  scn: (reader, operands) => {
    reader.current.fill = { space: reader.current.fill.space, values: numbers(operands) };
  },
  SCN: (reader, operands) => {
    reader.current.stroke = { space: reader.current.stroke.space, values: numbers(operands) };
  },
  re: (reader, operands) => reader.path.rectangle(reader.current.ctm, operands as number[]),
  m: move,
  l: line,
  c: curve,
  v: line,
  y: line,
  h: () => undefined,
  n: (reader) => reader.endPath(),
  // Shapes of logos are cut at their frame.
  W: (reader) => reader.clip(),
  f: (reader) => reader.fill(),
  "f*": (reader) => reader.fill(),
  S: (reader) => reader.stroke(),
  Do: (reader, [name]) => reader.draw(nameOf(name) ?? ""),
  d: () => undefined,
  BT: (reader) => reader.setTextMatrix(IDENTITY),
  ET: () => undefined,
  Tf: (reader, [name, size]) => reader.setFont(nameOf(name) ?? "", Number(size)),
  Tm: (reader, operands) => reader.setTextMatrix(toMatrix(operands)),
  Td: (reader, operands) => reader.moveText(numbers(operands)),
  // Marks above and below letters: the line's own height holds them.
  Ts: () => undefined,
  Tj: (reader, [text]) => reader.show(text ?? null),
  TJ: (reader, [items]) => {
    for (const item of isArray(items) ? items : []) {
      if (typeof item === "number") reader.moveText([(-item / 1000) * reader.fontSize, 0]);
      else reader.show(item);
    }
  },
};

/** Pages of others may use more. */
const allOperators: Operators = { ...foreignOperators, ...operators };

const INLINE_IMAGE = "BI";

/** Reads a page's content. Broken syntax becomes a fault, and what came before is kept. */
export function readPageContent(content: Uint8Array, resources: PageResources): PageContent {
  const lexer = new PdfLexer(content);
  const words = resources.isForeign === true ? allOperators : operators;
  const reader = new PageReader(resources, words);
  let operands: PdfNode[] = [];
  try {
    for (let value = lexer.next(); value !== undefined; value = lexer.next()) {
      if (!(value instanceof Keyword)) {
        checkOperands(operands.push(value));
        continue;
      }
      if (value.word === INLINE_IMAGE) {
        reader.faults.push("an inline image can't be judged");
        reader.draw("");
        break;
      }
      reader.run(value.word, operands);
      operands = [];
    }
    reader.end();
  } catch (error) {
    reader.faults.push(`content is not PDF syntax: ${String(error)}`);
  }
  return { painted: reader.painted, operators: reader.used, faults: reader.faults };
}
