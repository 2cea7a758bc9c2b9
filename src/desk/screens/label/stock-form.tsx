/** What labels are printed on: sheets by picture and maker's number, a page or a roll of one's own. */
import { cellBox, type LabelSheet } from "../../../print/layout/label-sheet.ts";
import { countIn } from "../../view/figures.tsx";
import type { Words } from "../../words/words.ts";
import {
  NO_SHEET,
  OWN_PAGE,
  OWN_ROLL,
  OWN_SIZE,
  ownName,
  pageNames,
  STOCK,
  type OwnField,
  type Texts,
} from "./stock.ts";

interface StockProps {
  readonly words: Words;
  readonly texts: Texts;
  readonly sheets: readonly LabelSheet[];
}

/** The page with its labels, as lines. */
function Outline({ sheet }: { readonly sheet: LabelSheet }) {
  const { page, label } = sheet;
  const cells: string[] = [];
  for (let row = 0; row < sheet.rows; row += 1) {
    for (let column = 0; column < sheet.columns; column += 1) {
      const { x, y, width, height } = cellBox(sheet, row, column);
      cells.push(
        label.shape === "round"
          ? `M${x} ${y + height / 2}a${width / 2} ${height / 2} 0 1 0 ${width} 0a${width / 2} ${height / 2} 0 1 0 ${-width} 0`
          : `M${x} ${y}h${width}v${height}h${-width}z`,
      );
    }
  }
  const edge = Math.max(page.widthMm, page.heightMm) / 60;
  return (
    <svg viewBox={`0 0 ${page.widthMm} ${page.heightMm}`} aria-hidden="true">
      <rect
        width={page.widthMm}
        height={page.heightMm}
        fill="#ffffff"
        stroke="#8a94a6"
        stroke-width={edge}
      />
      <path d={cells.join("")} fill="#dce6f0" stroke="#54708c" stroke-width={edge / 2} />
    </svg>
  );
}

const toSearched = ({ name, title, sameAs, label, page }: LabelSheet): string =>
  [name, title, ...sameAs, page.name, `${label.widthMm}x${label.heightMm}`].join(" ").toLowerCase();

function Stock({
  sheet,
  value,
  isChosen,
  words,
}: {
  readonly sheet: LabelSheet;
  /** Its name as the manifest writes it. */
  readonly value: string;
  readonly isChosen: boolean;
  readonly words: Words;
}) {
  const { name, title, sameAs, stock, perSheet, label, page } = sheet;
  const count = countIn(words.language);
  return (
    <label class="stock" data-search={toSearched(sheet)}>
      <input type="radio" name={STOCK} value={value} checked={isChosen} />
      <Outline sheet={sheet} />
      <span>
        <strong>{title}</strong>
        <br />
        <span class="soft">
          {`${label.widthMm} × ${label.heightMm} mm · ${count(perSheet)} · ${page.name} · `}
          {stock === "plain" ? words.label.plain : words.label.cut}
          <br />
          {[name, ...sameAs].join(", ")}
        </span>
      </span>
    </label>
  );
}

function Length({ field, texts, words }: { field: OwnField; texts: Texts; words: Words }) {
  const name = ownName(field);
  return (
    <div class="field">
      <label for={name}>{words.label.ownFields[field]}</label>
      <input id={name} name={name} value={texts[name] ?? ""} inputmode="decimal" size={8} />
    </div>
  );
}

function Choice({
  field,
  texts,
  words,
  choices,
}: {
  readonly field: OwnField;
  readonly texts: Texts;
  readonly words: Words;
  readonly choices: readonly (readonly [value: string, name: string])[];
}) {
  const name = ownName(field);
  return (
    <div class="field">
      <label for={name}>{words.label.ownFields[field]}</label>
      <select id={name} name={name}>
        {choices.map(([value, shown]) => (
          <option value={value} selected={(texts[name] ?? "") === value}>
            {shown}
          </option>
        ))}
      </select>
    </div>
  );
}

const measures: readonly OwnField[] = [
  "width",
  "height",
  "across",
  "down",
  "margin",
  "columns",
  "rows",
  "radius",
];

/** A page or a roll of one's own. */
function OwnSheetFields({ texts, words }: StockProps) {
  const said = words.label;
  const papers = [
    ["", said.asDefault],
    ["plain", said.plain],
    ["labels", said.cut],
  ] as const;
  const pages = [
    ...pageNames.map((one) => [one, one] as const),
    [OWN_SIZE, said.sizePage] as const,
  ];
  return (
    <div class="fields own">
      <div class="own-page">
        <Choice field="page" texts={texts} words={words} choices={pages} />
        <div class="own-size">
          <Length field="page_width" texts={texts} words={words} />
          <Length field="page_height" texts={texts} words={words} />
        </div>
      </div>
      <div class="own-roll">
        <Length field="roll" texts={texts} words={words} />
      </div>
      {measures.map((field) => (
        <Length field={field} texts={texts} words={words} />
      ))}
      <Choice field="stock" texts={texts} words={words} choices={papers} />
    </div>
  );
}

export function StockFields(props: StockProps) {
  const { words, texts, sheets } = props;
  const said = words.label;
  const chosen = texts[STOCK] ?? NO_SHEET;
  const others = [
    [OWN_PAGE, said.own],
    [OWN_ROLL, said.roll],
    [NO_SHEET, said.noSheet],
  ] as const;
  const isNamed = (sheet: LabelSheet): boolean =>
    sheet.name === chosen || sheet.sameAs.includes(chosen);
  const isKnown = others.some(([value]) => value === chosen) || sheets.some(isNamed);
  const inOrder = sheets.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  return (
    <fieldset class="stocks">
      <legend>{said.stock}</legend>
      {isKnown ? null : (
        <p>
          <label class="tick">
            <input type="radio" name={STOCK} value={chosen} checked />
            {said.other} <code>{chosen}</code>
          </label>
        </p>
      )}
      <div data-find-stock />
      <div class="stock-list" tabindex={0} role="group" aria-label={said.stock}>
        {inOrder.map((sheet) => (
          <Stock
            sheet={sheet}
            value={isNamed(sheet) ? chosen : sheet.name}
            isChosen={isNamed(sheet)}
            words={words}
          />
        ))}
      </div>
      {others.map(([value, name]) => (
        <p>
          <label class="tick">
            <input type="radio" name={STOCK} value={value} checked={value === chosen} />
            {name}
          </label>
        </p>
      ))}
      <OwnSheetFields {...props} />
    </fieldset>
  );
}
