/** The pictures of the screen as a page without script shows them; the island draws the same. */

import { AreEnglish, inEnglish } from "../../view/problems.tsx";
import type { Part } from "../../view/part.ts";
import type { Words } from "../../words/words.ts";
import { lookNames, type LookName, type Shown, type ShownLook } from "./label-props.ts";

/** Width of the picture in a browser without script, which sends clicks in its pixels. */
export const CLICKED_PX = 320;
export const CLICK_NAME = "at";

function Says({ look, words }: { readonly look: ShownLook; readonly words: Words }) {
  const { facts, warnings, faults } = look;
  return (
    <div aria-live="polite">
      <AreEnglish told={[...faults, ...warnings]} words={words} />
      {faults.map(({ text, isEnglish }) => (
        <p class="banner bad" {...(isEnglish ? inEnglish(words) : {})}>
          {text}
        </p>
      ))}
      {facts.map((fact) => (
        <p class="fact">{fact}</p>
      ))}
      {warnings.length === 0 ? null : (
        <div class="banner warn">
          <strong>{words.label.warnings}</strong>
          {warnings.map(({ text, isEnglish }) => (
            <p {...(isEnglish ? inEnglish(words) : {})}>{text}</p>
          ))}
        </div>
      )}
    </div>
  );
}

function Clickable({ url, words }: { readonly url: string; readonly words: Words }) {
  return (
    <>
      <p class="hint">{words.label.clickSheet}</p>
      <input
        type="image"
        name={CLICK_NAME}
        src={url}
        width={CLICKED_PX}
        alt={words.label.sheetButton}
        class="sheet-picture"
      />
    </>
  );
}

const Look: Part<{ readonly name: LookName; readonly look: ShownLook }> = ({
  name,
  look,
  words,
}) => (
  <section class={`look look-${name}`}>
    <h2>{words.label[name]}</h2>
    {look.pictures.map(({ url, alt }, at) =>
      name === "sheet" && at === 0 ? (
        <Clickable url={url} words={words} />
      ) : (
        <img src={url} alt={alt} />
      ),
    )}
    <Says look={look} words={words} />
  </section>
);

export const Pictures = ({ looks, words }: { readonly looks: Shown; readonly words: Words }) => (
  <>
    {lookNames.map((name) => {
      const look = looks[name];
      return look === undefined ? null : <Look name={name} look={look} words={words} />;
    })}
  </>
);
