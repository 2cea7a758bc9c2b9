/** What to do where the names of the columns aren't found: put them into the file, or say where they are. */
import type { Look } from "../../../pipeline/draft/look.ts";
import type { Words } from "../../words/words.ts";
import { toColumnsHref } from "./begun.tsx";
import { isUpload } from "./uploads.ts";

interface Props {
  readonly words: Words;
  readonly source: string;
  readonly shownName: string;
  readonly looked: Look;
  /** The line that is said to hold the names. */
  readonly headerRow: number | undefined;
}

/** The list gets a line of names, and is read again. */
function NoHeader({ words: { wizard: said }, source, shownName }: Props) {
  if (shownName === said.pastedName)
    return (
      <>
        <p>{said.noHeaderPasted}</p>
        <p>
          <a href="/new#pasted">{said.pasteAgain}</a>
        </p>
      </>
    );
  return (
    <>
      <p>{said.noHeader}</p>
      <p>
        <a href={isUpload(source) ? "/new" : toColumnsHref(source, shownName)}>
          {isUpload(source) ? said.chooseAgain : said.readAgain}
        </a>
      </p>
    </>
  );
}

/** Asks for the line with the names, where the one that was taken is in doubt or was asked for. */
export function HeaderLine(props: Props) {
  const { words, source, shownName, looked, headerRow } = props;
  const { headerLine, headerLineHint, takeLine } = words.wizard;
  const line = headerRow ?? looked.rowAsHeader?.where?.line;
  if (line === undefined) return null;
  return (
    <>
      {looked.lacksHeader === true ? <NoHeader {...props} /> : null}
      <form method="get" action="/new/columns">
        <input type="hidden" name="source" value={source} />
        <input type="hidden" name="name" value={shownName} />
        <input type="hidden" name="sheet" value={looked.sheetName ?? ""} />
        <div class="field">
          <label for="headerRow">{headerLine}</label>
          <input id="headerRow" name="headerRow" type="number" min={1} value={line} required />
          <p class="soft">{headerLineHint}</p>
        </div>
        <button class="plain">{takeLine}</button>
      </form>
    </>
  );
}
