/** The stock of labels: sheets by picture and maker's number, an own page or roll. */

import { raw } from "hono/html";

import { drawSheetPicture } from "../../../print/draw/sheet-picture.ts";
import { ROLL_PAGE, type LabelSheet } from "../../../print/layout/label-sheet.ts";
import { countIn, sizeIn } from "../../view/figures.tsx";
import type { Part } from "../../view/part.ts";
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

/** The page with its labels. */
const Outline = ({ sheet }: { readonly sheet: LabelSheet }) => (
  <svg viewBox={`0 0 ${sheet.page.widthMm} ${sheet.page.heightMm}`} aria-hidden="true">
    {raw(drawSheetPicture(sheet))}
  </svg>
);

const sayPaper = (stock: LabelSheet["stock"], { label }: Words): string =>
  stock === "plain" ? label.plain : label.cut;

const sayPage = ({ page }: LabelSheet, { label }: Words): string =>
  page.name === ROLL_PAGE ? label.rollPage : page.name;

const toSearched = (sheet: LabelSheet, words: Words): string => {
  const { name, title, sameAs, label, perSheet, stock } = sheet;
  return [
    name,
    title,
    words.reason(title) ?? "",
    ...sameAs,
    sayPage(sheet, words),
    `${label.widthMm}x${label.heightMm}`,
    `${perSheet}up`,
    words.label.shapes[label.shape],
    sayPaper(stock, words),
  ]
    .join(" ")
    .toLowerCase();
};

const Stock: Part<{
  readonly sheet: LabelSheet;
  /** Its name as the manifest writes it. */
  readonly value: string;
  readonly isChosen: boolean;
}> = ({ sheet, value, isChosen, words }) => {
  const { name, title, sameAs, stock, perSheet, label } = sheet;
  const count = countIn(words.language);
  const size = sizeIn(words.language);
  const facts = [
    `${size(label.widthMm)} × ${size(label.heightMm)} mm`,
    words.label.shapes[label.shape],
    count(perSheet),
    sayPage(sheet, words),
    sayPaper(stock, words),
  ];
  return (
    <label class="stock" data-search={toSearched(sheet, words)}>
      <input type="radio" name={STOCK} value={value} checked={isChosen} />
      <Outline sheet={sheet} />
      <span>
        <strong>{words.reason(title) ?? title}</strong>
        <br />
        <span class="soft">
          {facts.filter((fact) => fact !== "").join(" · ")}
          <br />
          {[name, ...sameAs].join(", ")}
        </span>
      </span>
    </label>
  );
};

function Length({ field, texts, words }: { field: OwnField; texts: Texts; words: Words }) {
  const name = ownName(field);
  return (
    <div class="field">
      <label for={name}>{words.label.ownFields[field]}</label>
      <input id={name} name={name} value={texts[name] ?? ""} inputmode="decimal" size={8} />
    </div>
  );
}

const Choice: Part<{
  readonly field: OwnField;
  readonly texts: Texts;
  readonly choices: readonly (readonly [value: string, name: string])[];
}> = ({ field, texts, words, choices }) => {
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
};

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
