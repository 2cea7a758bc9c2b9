/** What is odd about a workbook as a whole, in German: src/read/xlsx/xlsx-open.ts. */

/** English, German; `{}` as in `reasons.ts`. */
export const workbookSayings: readonly (readonly [english: string, german: string])[] = [
  [
    "sheet must be one of the workbook's, got {}",
    "Das Blatt muss eines der Arbeitsmappe sein, nicht {}",
  ],
  ["1 hidden row is read like the others", "1 ausgeblendete Zeile wird gelesen wie die anderen"],
  [
    "{} hidden rows are read like the others",
    "{} ausgeblendete Zeilen werden gelesen wie die anderen",
  ],
  [
    "set source.skip_hidden_rows: true to leave them out",
    "Mit source.skip_hidden_rows: true bleiben sie weg",
  ],
  [
    "column {} is hidden and is read like the others",
    "Spalte {} ist ausgeblendet und wird gelesen wie die anderen",
  ],
  [
    "columns {} are hidden and are read like the others",
    "Die Spalten {} sind ausgeblendet und werden gelesen wie die anderen",
  ],
  [
    "in 1 row a cell shows another text than its link, first in {}; columns of type url take the link",
    "In 1 Zeile zeigt eine Zelle einen anderen Text als ihren Link ({}); Spalten vom Typ url nehmen den Link",
  ],
  [
    "in {} rows a cell shows another text than its link, first in {}; columns of type url take the link",
    "In {} Zeilen zeigt eine Zelle einen anderen Text als ihren Link, zuerst in {}; Spalten vom Typ url nehmen den Link",
  ],
  [
    "sheet {} is read, as the first one, but the workbook opens with {}",
    "Gelesen wird das Blatt {}, als erstes, aber die Arbeitsmappe öffnet sich mit {}",
  ],
  [
    "sheet {} is read, but there are others with the same header: {}",
    "Gelesen wird das Blatt {}, aber es gibt andere mit derselben Kopfzeile: {}",
  ],
  ["name the sheet that is meant in source.sheet", "Unter source.sheet das gemeinte Blatt nennen"],
  ["sheet {} is hidden", "Das Blatt {} ist ausgeblendet"],
  [
    "sheet shows its formulas; their results are used",
    "Das Blatt zeigt seine Formeln; verwendet werden ihre Ergebnisse",
  ],
  [
    "cells {} may show another text than their own, by conditional formatting",
    "Die Zellen {} zeigen vielleicht einen anderen Text als ihren eigenen, durch bedingte Formatierung",
  ],
  [
    "their own text is used; check what the cells show without the rule",
    "Verwendet wird ihr eigener Text; nachsehen, was die Zellen ohne die Regel zeigen",
  ],
  [
    "row holds the totals of a table, and is read like the others",
    "Die Zeile enthält die Summen einer Tabelle und wird gelesen wie die anderen",
  ],
  [
    "turn the totals of the table off, or delete the row",
    "Die Ergebniszeile der Tabelle ausschalten oder die Zeile löschen",
  ],
  [
    "cells {} are merged: only the first one has the text",
    "Die Zellen {} sind verbunden: Nur die erste hat den Text",
  ],
  [
    "cells {} and others ({} areas) are merged: only the first cell of each has the text",
    "Die Zellen {} und andere ({} Bereiche) sind verbunden: Nur die erste Zelle jedes Bereichs hat den Text",
  ],
  [
    "unmerge them, or set source.merged: fill",
    "Den Verbund aufheben oder source.merged: fill setzen",
  ],
  [
    "results of formulas ({}) may be wrong: a program wrote them that doesn't calculate",
    "Ergebnisse von Formeln ({}) können falsch sein: Ein Programm hat sie geschrieben, das nicht rechnet",
  ],
  [
    "open the file in Excel or LibreOffice, save it and run again",
    "Die Datei in Excel oder LibreOffice öffnen, speichern und wieder ausführen",
  ],
];
