/** The report of a run (src/pack/report.ts) in German. What the desk says, too, it says in the same words. */
import { numberFormat } from "../../base/text/number-format.ts";
import { formatBytes } from "../../base/text/words.ts";
import type { ReportWords } from "../../pipeline/ports.ts";
import { de } from "./de.ts";
import { gradeInGerman, limitInGerman } from "./grade-reasons.ts";
import { many } from "./many.ts";
import { proofInGerman } from "./proof.ts";
import { scansInGerman } from "./scan-report.ts";

const { result, common, kinds } = de;
const { figures, roles } = result;
const kindNames: Readonly<Record<string, string>> = kinds;

const count = (n: number): string => numberFormat("de").format(n);
const swapSigns = (text: string): string =>
  text.replaceAll(/[.,]/gu, (sign) => (sign === "." ? "," : "."));

/** `20.11.2026`. */
const sayDay = (iso: string): string => iso.slice(0, 10).split("-").toReversed().join(".");
const sayTime = (at: Date): string =>
  `${sayDay(at.toISOString())}, ${at.toISOString().slice(11, 16)} UTC`;

const sayCodes = (n: number): string => many(count(n), "Code", "Codes");
const sayWere = (n: number): string => `${sayCodes(n)} ${n === 1 ? "wurde" : "wurden"}`;
const sayRowless = (n: number): string =>
  n === 1 ? "denn er hat keine Zeile mehr" : "denn sie haben keine Zeile mehr";

const doneWords = { undone: "zurückgesetzt", filed: "abgelegt", deleted: "gelöscht" };

type After = Parameters<ReportWords["after"]["undone"][1]>[0];

function sayUndone(after: After): string {
  if (after.did !== "undone") return "";
  const { codes, already, notDone, runAt } = after;
  const before = `wie vor dem Lauf vom ${sayDay(runAt)}`;
  if (codes === 0 && already > 0) {
    const nothing = notDone === undefined ? ": Es gab nichts zurückzusetzen" : "";
    return `${sayCodes(already)} ${already === 1 ? "ist" : "sind"} ${before}${nothing}`;
  }
  const others =
    already === 0 ? "" : `; ${sayCodes(already)} ${already === 1 ? "war" : "waren"} es schon`;
  return `${sayWere(codes)} zurückgesetzt und ${codes === 1 ? "ist" : "sind"} ${before}${others}`;
}

/** Counts of warnings, as the desk has them; nothing where there is none. */
const sayPress: ReportWords["verdicts"]["press"] = ({ verdict, warnings, sampled, pictures }) => {
  const warned = warnings.length === 0 ? undefined : count(warnings.length);
  if (verdict === "ready-sampled") {
    const { decoded = 0, codes = 0 } = sampled ?? {};
    return `${result.readySampled(warned)} – ${result.readSample(count(decoded), count(codes))}`;
  }
  if (pictures === true)
    return warned === undefined ? result.picturesReadBack : result.picturesWith(warned);
  return warned === undefined ? result.ready : result.readyWith(warned);
};

/** Names of what a run spends its time on. */
const stages: Readonly<Record<string, string>> = {
  "read and plan": "Lesen und planen",
  "select and plan": "Auswählen und planen",
  "compare with the last run": "Mit dem letzten Lauf vergleichen",
  "codes and downloads": "Codes und Bilder",
  codes: "Codes",
  sheets: "Bogen",
  proof: "Prüfung der Bogen",
  "proof of pictures": "Prüfung der Bilder",
  zip: "Archive",
  index: "Tabellen",
};

export const reportInGerman: ReportWords = {
  language: "de",
  reason: de.reason,
  count,
  decimal: (n) => swapSigns(n.toFixed(1)),
  bytes: (bytes) => swapSigns(formatBytes(bytes)),
  title: (job) => `${job} – Bericht`,
  kind: (kind) => kindNames[kind] ?? kind,
  made: (at) => `Erstellt am ${sayTime(at)}`,
  from: "aus",
  embedded: "eingebauter Dienst",
  runAgain: "Noch einmal ausführen",
  verdicts: {
    unverified: "Nicht geprüft",
    done: "Fertig",
    withoutFiles: "Fertig, aber Dateien kamen nicht",
    toMend: "Fertig, mit Zeilen zum Verbessern",
    rehearsal: "Probe, nicht für den Druck",
    stopped: "Vor dem Ende angehalten",
    notReady: "Nicht druckreif",
    press: sayPress,
    notDone: (n, did) => `Fertig, aber ${sayWere(n)} nicht ${doneWords[did]}`,
  },
  after: {
    undone: ["Rückgängig gemacht", sayUndone],
    filed: ["Abgelegt", ({ codes }) => `${sayWere(codes)} abgelegt, ${sayRowless(codes)}`],
    deleted: ["Gelöscht", ({ codes }) => `${sayWere(codes)} gelöscht, ${sayRowless(codes)}`],
  },
  banners: {
    knowBefore: result.knowBefore,
    rehearsal: result.rehearsal,
    leadHere: (isProducts) => [
      `Die ${isProducts ? "GS1 Digital Links" : "Kurzlinks"} beginnen mit`,
      ". Kein Handy außerhalb erreicht diese Adresse. Setzen Sie eine öffentliche Adresse, und führen Sie den Auftrag noch einmal aus, bevor etwas gedruckt wird.",
    ],
    stopped: "Der Lauf wurde vor seinem Ende angehalten",
  },
  begun: {
    retire: "Ablegen oder Löschen von Codes: noch nicht zu Ende",
    undo: "Rückgängigmachen: noch nicht zu Ende",
    finish:
      "Codes sind vielleicht nicht mehr so, wie diese Seite sagt. Arbeitet gerade niemand daran, bringt dieser Befehl es zu Ende:",
  },
  figures: {
    rows: figures.rows,
    created: figures.created,
    adopted: figures.adopted,
    updated: figures.changed,
    unchanged: figures.unchanged,
    failed: figures.failed,
    left: figures.left,
    withoutFiles: figures.withoutFiles,
    vanished: "Ohne Zeile",
    undone: figures.putBack,
    filed: "Abgelegt",
    deleted: "Gelöscht",
    writes: de.plan.figures.writes,
    reads: "Lesende Aufrufe",
    retries: "Wiederholungen",
    waited: "Auf das Limit gewartet",
    perSecond: "Codes in der Sekunde",
  },
  lists: {
    firstOf: (shown, all) => `Die ersten ${shown} von ${all}`,
    faults: "Fehlern",
    all: "Alle stehen in:",
    place: common.place,
    problem: "Was es ist",
    toDo: common.fix,
    rule: "Regel",
    severity: "Art",
    severities: { error: "Fehler", warning: "Warnung" },
    line: "Zeile",
    row: "Datensatz",
    column: "Spalte",
    value: "Wert",
    wrong: common.problem,
    fix: common.fix,
    key: "Schlüssel",
    lineBefore: "Frühere Zeile",
    name: "Name",
    code: "Code",
    files: result.files,
    addressBefore: "(zeigt die frühere Adresse)",
    file: common.file,
    holds: "Inhalt",
    size: "Größe",
    removed: "Entfernt:",
    noRowLeft: (n) => `Keine Zeile gehört mehr ${n === 1 ? "in diese Datei" : "in diese Dateien"}.`,
    stage: "Schritt",
    made: "Ergebnis",
    time: "Zeit",
    againstLongest: "Verglichen mit dem längsten",
  },
  grades: {
    title: "Vorhergesagte Noten",
    what: "Was Prüfgeräte nach ISO/IEC 15415 voraussichtlich sagen: eine Vorhersage aus der Zeichnung, keine Messung.",
    grade: "Note",
    ofFour: "Von 4",
    codes: "Codes",
    by: "Durch",
    helps: "Was hilft",
    limit: limitInGerman,
    of: (one) => `Note ${gradeInGerman(one)}`,
  },
  verification: {
    title: "Prüfung",
    none: "Die fertigen Dateien wurden in diesem Lauf nicht geprüft.",
    nothingNew: "Nichts Neues war zurückzulesen",
    codes: ({ symbols, printed }) => {
      const beside = [
        symbols === undefined ? [] : `davon ${many(count(symbols), "Symbol", "Symbole")}`,
        printed === undefined
          ? []
          : `von ${result.printed(count(printed.codes), count(printed.labels))}`,
      ].flat();
      return beside.length === 0 ? "Codes" : `Codes (${beside.join(", ")})`;
    },
    ofAll: (read, all, what) => `${read} von ${all} ${what}`,
    readBack: (read) => `Aus den fertigen Dateien zurückgelesen und gleich ihren Zeilen: ${read}`,
    rules: (n, findings) =>
      `${many(count(n), "Regel", "Regeln")} geprüft, ${findings === 0 ? "kein Befund" : `Befunde: ${count(findings)}`}.`,
    sampled: (n) =>
      `Die Prüfung war eine Stichprobe: ${sayWere(n)} nicht gelesen, sondern Modul für Modul mit dem verglichen, was ein anderer Encoder aus den Zeilen macht.`,
    earlier: (before) => `Frühere Läufe haben andere geprüft, die unverändert sind: ${before}.`,
  },
  titles: {
    failed: (failed, withoutFiles) => {
      if (withoutFiles === 0) return result.problems;
      return failed === 0
        ? result.rowsWithoutFiles
        : "Zeilen, die scheiterten oder ohne Dateien sind";
    },
    vanished: roles["vanished-rows"] ?? "",
    vanishedAre: "Der Auftrag hat diese Zeilen nicht mehr. Ihre Codes leben weiter.",
    warnings: "Hinweise",
    files: result.files,
    stages: "Wofür die Zeit verging",
    contacts: "Übersicht der Codes",
  },
  stage: (name) => stages[name] ?? name,
  contacts: {
    notShown: "nicht gezeigt",
    code: (caption) => `QR-Code: ${caption}`,
    printed: (caption) => `QR-Code auf dem Bogen: ${caption}`,
    artwork: "Bilddatei",
    onSheet: "auf dem Bogen",
    shown: (shown, all) => `${shown} von ${all} Codes gezeigt.`,
  },
  scans: scansInGerman,
  proof: proofInGerman,
  notes: {
    pages: (pages, { isTwoSided, isRoll }) => {
      const n = count(isTwoSided ? pages / 2 : pages);
      const what = isRoll ? many(n, "Wiederholung", "Wiederholungen") : `${n} Bogen`;
      return `${what}${isRoll ? " der Rolle" : ""}${isTwoSided ? ", beidseitig bedruckt" : ""}`;
    },
    archive: ({ entries, leftToDo = 0, leftOut = 0 }) => {
      const notes = [
        leftToDo === 0 ? [] : `${many(count(leftToDo), "Zeile ist", "Zeilen sind")} noch zu tun`,
        leftOut === 0
          ? []
          : `${many(count(leftOut), "Zeile fehlen", "Zeilen fehlen")} Bilder, die nicht kamen oder nicht geprüft sind: Dieser Bericht sagt, warum`,
      ].flat();
      const files = many(count(entries), "Datei", "Dateien");
      return `${files}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
    },
    certificate: "signiert: makeready check prüft es",
    kept: (madeMs) =>
      `aus dem Lauf vom ${sayTime(new Date(madeMs))} behalten: Seine Zeilen sind jetzt fehlerhaft`,
  },
};
