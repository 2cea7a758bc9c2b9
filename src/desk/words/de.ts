/** What the desk says, in German. */
import type { Words } from "./en.ts";

export const de: Words = {
  language: "de",
  common: {
    desk: "makeready Arbeitsplatz",
    home: "Aufträge",
    newJob: "Neuer Auftrag",
    skip: "Zum Inhalt springen",
    command: "Dasselbe auf der Kommandozeile",
    file: "Datei",
    rows: "Zeilen",
    state: "Stand",
    open: "Öffnen",
    back: "Zurück",
    next: "Weiter",
    save: "Speichern",
    cancel: "Abbrechen",
    none: "keine",
    line: "Zeile",
    reason: "Grund",
    problem: "Was nicht stimmt",
    fix: "Was zu tun ist",
    steps: "Schritte dieses Auftrags",
    switchLanguage: "English",
    switchTo: "en",
  },
  steps: {
    source: "Datei und Spalten",
    label: "Etikett und Bogen",
    plan: "Plan",
    run: "Lauf",
    result: "Ergebnis",
  },
  refused: {
    host: "Dieser Arbeitsplatz antwortet nur unter 127.0.0.1 und localhost. Öffnen Sie den Link, den `makeready desk` gezeigt hat.",
    origin:
      "Diese Änderung kam von einer anderen Seite. Gehen Sie zurück zum Arbeitsplatz und versuchen Sie es dort.",
    "link-used":
      "Dieser Link gilt einmal und wurde schon benutzt. Starten Sie `makeready desk` noch einmal: Es öffnet einen neuen Link.",
    "no-session":
      "Dieser Browser ist nicht angemeldet. Starten Sie `makeready desk` noch einmal: Es öffnet einen Link, der anmeldet.",
    missing: "Diese Seite gibt es hier nicht. Gehen Sie zur Liste der Aufträge.",
    title: "Nicht hier",
  },
  home: {
    title: "Aufträge",
    empty:
      "In diesem Ordner gibt es noch keine Aufträge. Beginnen Sie mit Ihrer Tabelle, oder probieren Sie das Beispiel.",
    sample: "Beispielauftrag ausprobieren",
    sampleHint: "Schreibt sample.csv und den Auftrag dazu in diesen Ordner: 12 Regaletiketten.",
    kind: "Art",
    lastRun: "Letzter Lauf",
    never: "noch nicht gelaufen",
    running: "läuft",
    rowsDone: (done, all) => `${done} von ${all} Zeilen fertig`,
    toMend: (count) => `${count} zu verbessern`,
    broken: "nicht lesbar",
    due: (when) => `fällig ${when}`,
  },
  monitor: {
    of: "{done} von {total}",
    failed: "{count} fehlgeschlagen",
    offline:
      "Der Arbeitsplatz antwortet nicht. Der Lauf geht weiter; diese Seite verbindet sich von selbst wieder.",
    stages: {},
  },
  kinds: {
    codes: "QR-Codes",
    products: "GS1-Produkte",
    links: "Kurzlinks",
    pdfs: "PDFs",
    pages: "Landingpages",
    forms: "Formulare",
    redesign: "Neues Aussehen für bestehende Codes",
    retarget: "Neue Ziele für bestehende Codes",
    report: "Auswertung der Scans",
    export: "Export von Codes",
  },
};
