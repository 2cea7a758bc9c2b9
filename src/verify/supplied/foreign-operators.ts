import type { Operator, Operators } from "../page/page-reader.ts";
import type { PdfNode } from "../pdf/pdf-node.ts";

/** Operators that designers' pages use besides those of ours; only their colours are kept. */

const nothing: Operator = () => undefined;
const numbers = (operands: readonly PdfNode[]): number[] =>
  operands.filter((operand) => typeof operand === "number");

const fillIn =
  (space: string): Operator =>
  (reader, operands) => {
    reader.current.fill = { space, values: numbers(operands) };
  };

const strokeIn =
  (space: string): Operator =>
  (reader, operands) => {
    reader.current.stroke = { space, values: numbers(operands) };
  };

const fillAndStroke: Operator = (reader) => {
  const { path } = reader;
  reader.fill();
  reader.path = path;
  reader.stroke();
};

const show: Operator = (reader, [text]) => reader.show(text ?? null);

const ignored = "ri i J j M W W* Tc Tw Tz TL Ts T* BMC MP DP BX EX d0 d1 gs0".split(" ");

export const foreignOperators: Operators = {
  ...Object.fromEntries(ignored.map((word) => [word, nothing])),
  g: fillIn("DeviceGray"),
  G: strokeIn("DeviceGray"),
  rg: fillIn("DeviceRGB"),
  RG: strokeIn("DeviceRGB"),
  sc: (reader, operands) => {
    reader.current.fill = { space: reader.current.fill.space, values: numbers(operands) };
  },
  SC: (reader, operands) => {
    reader.current.stroke = { space: reader.current.stroke.space, values: numbers(operands) };
  },
  F: (reader) => reader.fill(),
  "f*": (reader) => reader.fill(),
  s: (reader) => reader.stroke(),
  B: fillAndStroke,
  "B*": fillAndStroke,
  b: fillAndStroke,
  "b*": fillAndStroke,
  sh: nothing,
  Tr: (reader, [mode]) => {
    reader.current.textMode = Number(mode);
  },
  TD: (reader, operands) => reader.moveText(numbers(operands)),
  "'": show,
  '"': (reader, operands) => reader.show(operands[2] ?? null),
};
