/** What the desk says, in German. */
import type { Words } from "./en.ts";
import { answersInGerman } from "./answers.ts";
import { kindsInGerman } from "./kinds.ts";
import { labelInGerman } from "./label.ts";
import { reasonInGerman } from "./reasons.ts";
import { sinceInGerman } from "./since.ts";
import { scanInGerman } from "./scan.ts";
import { unitsInGerman } from "./units.ts";
import { wizardInGerman } from "./wizard.ts";
import { mendInGerman } from "./mend.ts";
import { marksInGerman, rehearsalInGerman } from "./rehearsal.ts";
import { reportsInGerman } from "./reports.ts";
import { many } from "./many.ts";
import { notesInGerman } from "./notes.ts";

/** What a command does with codes that have no row. */
const sayWay = (way: "file" | "delete", count: string): string => {
  const them = count === "1" ? "ihn" : "sie";
  return way === "file" ? `legt ${them} ab` : `löscht ${them}`;
};

export const de: Words = {
  language: "de",
  reason: reasonInGerman,
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
    none: "keine",
    place: "Stelle",
    onLine: (line) => `Zeile ${line}`,
    reason: "Grund",
    problem: "Was nicht stimmt",
    fix: "Was zu tun ist",
    inEnglish: "Meldungen, für die es hier noch keine deutschen Worte gibt, sind englisch.",
    firstOf: (shown, all) => `Die ersten ${shown} von ${all}:`,
    steps: "Schritte dieses Auftrags",
    switchLanguage: "English",
    switchTo: "en",
  },
  steps: {
    label: "Etikett",
    plan: "Plan",
    run: "Lauf",
    result: "Ergebnis",
  },
  codes: {
    title: "Codes",
    elsewhere: (url) =>
      `Die Aufträge dieses Arbeitsplatzes erstellen ihre Codes auf ${url}. Läuft dort ein Dienst von makeready, sehen Sie die Codes auf dessen Seite /console/.`,
    none: "Die Aufträge dieses Ordners haben noch keine Codes erstellt. Führen Sie zuerst einen aus; was er erstellt, steht dann hier.",
  },
  refused: {
    host: "Dieser Arbeitsplatz antwortet nur unter 127.0.0.1 und localhost. Öffnen Sie den Link, den `makeready desk` gezeigt hat.",
    origin:
      "Diese Änderung kam von einer anderen Seite. Gehen Sie zurück zum Arbeitsplatz und versuchen Sie es dort.",
    "link-used":
      "Dieser Link gilt einmal und wurde schon benutzt. Wurde der Arbeitsplatz neu gestartet, öffnen Sie den Link, der jetzt in seinem Terminal steht. Sonst starten Sie `makeready desk` noch einmal: Es öffnet einen neuen Link.",
    "no-session":
      "Dieser Browser ist nicht angemeldet. Wurde der Arbeitsplatz neu gestartet, öffnen Sie den Link, der in seinem Terminal steht. Sonst starten Sie `makeready desk` noch einmal: Es öffnet einen Link, der anmeldet.",
    missing: "Diese Seite gibt es hier nicht. Gehen Sie zur Liste der Aufträge.",
    bug: "Das ist ein Fehler in makeready. Ihre Dateien sind, wie sie waren: Gehen Sie zurück und versuchen Sie es anders.",
    title: "Nicht hier",
    failed: "Das ging nicht",
    toJobs: "Zur Liste der Aufträge",
    back: "Zurück zur Seite",
  },
  home: {
    title: "Aufträge",
    empty:
      "In diesem Ordner gibt es noch keine Aufträge. Beginnen Sie mit Ihrer Tabelle, oder probieren Sie das Beispiel.",
    sample: "Beispielauftrag ausprobieren",
    begun: "angefangen, noch kein Auftrag.",
    goOn: "Weitermachen",
    kind: "Art",
    never: "noch nicht gelaufen",
    running: "läuft",
    putBack: (count) =>
      `${count} der fertigen ${count === "1" ? "ist" : "sind"} zurückgesetzt: Lauf rückgängig gemacht`,
    rowsDone: (done, all) => `${done} von ${many(all, "Zeile", "Zeilen")} fertig`,
    toMend: (count) => `${count} zu verbessern`,
    changedSince:
      "Die Liste oder der Auftrag hat sich seit dem letzten Lauf geändert. Sehen Sie sich den Plan an.",
    broken: "nicht lesbar",
    due: (when) => `Läuft von selbst: ${when}`,
    paused: "Zeitplan ausgeschaltet",
  },
  wizard: wizardInGerman,
  plan: {
    title: "Plan",
    make: "Plan erstellen",
    again: "Neu planen",
    none: "Ein Plan sagt, was ein Lauf tun würde und was er kostet. Er ändert nichts.",
    stale: "Die Liste oder der Auftrag hat sich seit diesem Plan geändert. Planen Sie neu.",
    making: "Der Plan entsteht …",
    nothing: "Alles ist erledigt. Ein Lauf würde nichts ändern.",
    figures: {
      rows: "Zeilen",
      creates: "Neu",
      resumes: "Im Zweifel, werden gesucht",
      changes: "Zu ändern",
      unchanged: "Unverändert",
      bad: "Abgelehnte Zeilen",
      vanished: "Nicht mehr in der Liste",
      sheets: "Blatt Papier",
      repeats: "Wiederholungen der Rolle",
      roll: "Länge der Rolle",
      writes: "Ändernde Aufrufe",
      writesAtMost: "Ändernde Aufrufe, höchstens",
      time: "Bei 60 je Minute",
    },
    refused: "Abgelehnte Zeilen",
    refusedHint: "Diese Zeilen bleiben weg, bis sie verbessert sind.",
    isRun:
      "Seit diesem Plan hat ein Lauf begonnen. Planen Sie neu, dann sehen Sie, was noch zu tun ist.",
    warnings: "Bitte ansehen",
    notes: "Gut zu wissen",
    files: "Bogen und Archive",
    file: (name, codes) => `${name} (${many(codes, "Code", "Codes")})`,
    fileVolumes: (first, last, codes, volumes) =>
      `${first} bis ${last} (${many(codes, "Code", "Codes")} in ${volumes} Teilen)`,
    ...rehearsalInGerman,
    rehearsalElsewhere: (server, mark) =>
      `Das ist eine Probe: Die Codes von ${server} führen nur zu dem Rechner, auf dem dieser Dienst läuft${marksInGerman[mark]}. Drucken Sie noch nicht für andere: Wer den Dienst betreibt, muss zuerst seine öffentliche Adresse nennen (makeready serve --public-url).`,
    vanishedHint:
      "Zeilen fehlen in der Liste. Ihre Codes bleiben, wie sie sind. Prüfen Sie vor dem Lauf, ob die Liste vollständig ist.",
    address: "Öffentliche Adresse",
    addressHint:
      "Unter ihr wird Ihr makeready serve erreicht. Sie kommt in den Auftrag (api.public_url) und bleibt bei den Daten.",
    useAddress: "Diese Adresse nehmen und planen",
    manifest: "Der Auftrag als YAML",
    download: "Herunterladen",
    run: (count) => `Lauf starten: ${many(count, "Zeile", "Zeilen")}`,
    runSome: (some, all) => `Lauf starten: ${some} von ${many(all, "Zeile", "Zeilen")}`,
    runAnyway: "Lauf starten",
    onServer: "Server",
    embedded: "der Dienst dieses Rechners",
  },
  notes: notesInGerman,
  label: labelInGerman,
  units: unitsInGerman,
  since: sinceInGerman,
  scan: scanInGerman,
  mend: mendInGerman,
  reports: reportsInGerman,
  answers: answersInGerman,
  run: {
    title: "Lauf",
    none: "Dieser Auftrag ist noch nicht gelaufen. Sehen Sie zuerst den Plan an.",
    toPlan: "Zum Plan",
    works: {
      plan: "Der Plan entsteht",
      compare: "Die neue Tabelle wird verglichen",
      proof: "Der Freigabebogen entsteht",
      verify: "Die Dateien werden geprüft",
      reprint: "Etiketten werden noch einmal gedruckt",
      void: "Codes werden aus dem Verkehr gezogen",
      replace: "Verdorbene Etiketten werden ersetzt",
      activate: "Etiketten auf ihrer Ware werden vermerkt",
      reconcile: "Jedes Etikett wird nachgewiesen",
      scan: "Gedruckte Bogen werden geprüft",
    },
    pause: "Anhalten",
    pausing: "Was unterwegs ist, wird beendet, dann hält der Lauf an. Nichts geht verloren.",
    goOn: "Fortsetzen",
    stopped: "Der Lauf ist angehalten. Nichts ist verloren: Er geht dort weiter, wo er war.",
    died: "Der Lauf brach plötzlich ab, etwa weil der Rechner ausging. Nichts ist verloren: Er geht dort weiter, wo er war.",
    elsewhere: (who) =>
      `Jemand hat diesen Auftrag anderswo gestartet (${who}). Diese Seite zeigt, wie weit er ist.`,
    reload: "Ohne Skript lädt diese Seite alle zwei Sekunden neu.",
  },
  result: {
    title: "Ergebnis",
    none: "Dieser Auftrag ist noch nicht gelaufen.",
    underWay: "Dieser Auftrag läuft gerade. Sobald er fertig ist, steht hier sein Ergebnis.",
    watch: "Zusehen",
    printedAgain: "Noch einmal gedruckte Etiketten",
    unfinishedUndo:
      "Das letzte Rückgängigmachen kam nicht zu Ende: machen Sie noch einmal rückgängig.",
    unfinished: "Der letzte Lauf kam nicht zu Ende: Dateien können fehlen oder ungeprüft sein.",
    changedSince: "Der Auftrag hat sich seitdem geändert. Vor dem Druck noch einmal laufen lassen.",
    unseenSince: (why) => `Ob sich der Auftrag seitdem geändert hat, ist nicht bekannt: ${why}`,
    missingSince: (files) =>
      `${files.length === 1 ? "Eine Datei fehlt" : "Dateien fehlen"}: ${files.join(", ")}. Noch einmal laufen lassen, um sie zu machen.`,
    damagedSince: (files) =>
      `${files.length === 1 ? "Eine Datei ist nicht mehr so, wie sie geschrieben wurde" : "Dateien sind nicht mehr so, wie sie geschrieben wurden"}: ${files.join(", ")}. Noch einmal laufen lassen, um sie neu zu machen.`,
    ready: "Druckreif",
    readyWith: (count) => `Druckreif, mit Hinweisen: ${count}`,
    picturesReadBack: "Fertig: Jedes Bild wurde zurückgelesen",
    picturesWith: (count) => `Fertig: Jedes Bild wurde zurückgelesen. Hinweise: ${count}`,
    readySampled: (warnings) =>
      `Druckreif nach Stichprobe${warnings === undefined ? "" : `, mit Hinweisen: ${warnings}`}`,
    readSample: (read, all) =>
      `${read} von ${many(all, "Code", "Codes")} gelesen, die übrigen Modul für Modul verglichen`,
    knowBefore: "Vor dem Druck zu wissen",
    rehearsal: "Nur Probe: Die Codes führen zu diesem Rechner",
    done: "Fertig: kein Code war zurückzulesen",
    scheduleRepeats: (when, timezone) =>
      `Der Zeitplan macht es am ${when} (${timezone}) noch einmal. Schalten Sie ihn vorher aus, wenn die Codes bleiben sollen, wie sie jetzt sind.`,
    scheduleIsDue: (when, timezone) =>
      `Der Zeitplan macht es bald noch einmal: Es ist seit ${when} (${timezone}) fällig. Schalten Sie ihn vorher aus, wenn die Codes bleiben sollen, wie sie jetzt sind.`,
    finishRows: (count) =>
      `${many(count, "Zeile ist", "Zeilen sind")} noch zu tun. Planen Sie neu, dann starten Sie den Lauf.`,
    retireRows: (count, ways) =>
      `${many(count, "Code hat keine Zeile mehr, und dieser Lauf hat ihn gelassen, wie er ist", "Codes haben keine Zeilen mehr, und dieser Lauf hat sie gelassen, wie sie sind")}. Ein Befehl ${ways.map((way) => sayWay(way, count)).join(" oder ")}.`,
    voidRows: (count) => `Davon schon ungültig: ${count}.`,
    retryRefused:
      "Der Server hat Zeilen abgelehnt. Sind sie richtig, versuchen Sie sie noch einmal.",
    retryByPlan:
      "Der Tarif des Kontos beim Server hat keinen Platz für mehr Codes. Wer den Server betreibt, hebt ihn an, oder Sie löschen dort Codes. Danach versuchen Sie die Zeilen noch einmal.",
    notProven: "Nicht bewiesen: Sehen Sie die Liste unten an",
    toMend: (count) => `Zeilen zu verbessern: ${count}`,
    toFetch: (count) =>
      `Dateien von ${many(count, "Zeile", "Zeilen")} kamen nicht: Neu planen und laufen lassen, um sie zu holen`,
    undoToFetch: (count) =>
      `Dateien von ${many(count, "Code", "Codes")} kamen nicht: Noch einmal rückgängig machen, um sie zu holen`,
    notPutBack: (count) => `${many(count, "Code wurde", "Codes wurden")} nicht zurückgesetzt`,
    rowsWithoutFiles: "Zeilen, deren Dateien nicht kamen",
    read: (read, all) => `${read} von ${many(all, "Code", "Codes")} aus den PDFs zurückgelesen`,
    printed: (codes, labels) =>
      `${many(codes, "Code", "Codes")} auf ${many(labels, "Etikett", "Etiketten")}`,
    files: "Dateien",
    show: "Zeigen",
    download: "Herunterladen",
    downloadFile: (file) => `${file} herunterladen`,
    moreSheets: (all, shown) => `Das sind ${shown} von ${all} PDFs. Die anderen stehen unten.`,
    toSheet: "Nummer des Bogens",
    figures: {
      rows: "Zeilen",
      created: "Angelegt",
      changed: "Geändert",
      putBack: "Zurückgesetzt",
      unchanged: "Unverändert",
      failed: "Nicht gemacht",
      adopted: "Auf dem Server gefunden",
      withoutFiles: "Ohne Dateien",
      left: "Noch zu tun",
    },
    roles: {
      sheets: "Bogen für den Druck",
      zip: "Archiv der Bilder",
      artwork: "Bilder",
      index: "Tabelle aller Codes",
      "sheet-map": "Plan der Bogen",
      certificate: "Zertifikat",
      report: "Bericht",
      kept: "Aus einem früheren Lauf behalten: keine gute Zeile, die sie ersetzt",
      removed: "Entfernt: Nichts gehört mehr hinein",
      "failed-rows": "Zeilen zum Verbessern",
      "vanished-rows": "Codes ohne Zeile",
      scans: "Zahlen der Scans",
    },
    codes: "Codes",
    earlier: "Von vorn",
    more: "Weitere Codes",
    noPicture: "kein Bild",
    sheets: "Bogen",
    labelCommands:
      "Die Befehle nennen das erste Etikett des Bogens, nach einem Schritt die Etiketten dieses Schritts.",
    sheetsHint:
      "Klicken Sie auf verdorbene Etiketten. Sie kommen auf einen neuen Bogen, und der Nachweis zählt sie als verdorben. Etiketten, die Sie nur noch einmal brauchen, zählen als gut.",
    label: (key: string, row: string, column: string) => `${key}: Reihe ${row}, Spalte ${column}`,
    pages: "Seiten",
    sheetBefore: "Voriger Bogen",
    sheetAfter: "Nächster Bogen",
    pageOf: (page: string, file: string) => `Seite ${page} von ${file}`,
    sheetOf: (page, all) => `Bogen ${page} von ${all}`,
    firstFree: "Erstes freies Etikett des Bogens im Drucker",
    reprint: "Gewählte Etiketten als weitere drucken",
    reprinted: (count) =>
      `${many(count, "Etikett liegt", "Etiketten liegen")} zum Nachdruck bereit:`,
    nothingTicked: "Kein Etikett ist gewählt. Klicken Sie zuerst auf die verdorbenen.",
    problems: "Zeilen, die scheiterten",
    undone: (count) =>
      `Der Lauf ist rückgängig gemacht: ${many(count, "Code ist", "Codes sind")} wie vor ihm. Neu geplant und gelaufen, ändert der Auftrag ${count === "1" ? "ihn" : "sie"} wieder.`,
    undo: "Lauf rückgängig machen",
    undoAsk:
      "Setzt Code für Code zurück, was der letzte Lauf ersetzt hat. Läufe mit --limit und abgebrochene Läufe zählen mit dem Lauf danach als einer. Hat inzwischen jemand anders einen Code geändert, bleibt er, wie er ist, und steht in einer Liste.",
    afterwards: "Prüfen und nachweisen",
    verify: "Dateien noch einmal prüfen",
    verified: (read, all) =>
      `Noch einmal geprüft: ${read} von ${many(all, "Code", "Codes")} zurückgelesen, jede Datei ist, wie sie geschrieben wurde.`,
    notVerified:
      "Die Dateien sind nicht mehr so, wie der Lauf sie schrieb. Was nicht stimmt, steht hier.",
    toAddress: "Die öffentliche Adresse im Plan setzen",
    again: "Neu planen",
    mend: (rows) => (rows === 1 ? "Diese Zeile hier verbessern" : "Diese Zeilen hier verbessern"),
    mendHint: (source: string, mended: string) =>
      `Ändern Sie die Zellen, dann planen Sie neu. ${source} bleibt, wie sie ist: die verbesserten Zeilen stehen daneben in ${mended}, und der Auftrag liest sie von dort. Sobald Sie eine Zeile in ${source} selbst verbessern, gilt diese.`,
    mendFirst: (shown: string, all: string) =>
      `Die ersten ${shown} von ${all} Zeilen. Einen Fehler in allen Zeilen verbessern Sie in der Tabelle.`,
    mendKept: "Was Sie hier getippt hatten, ist noch da. Es gilt erst, wenn Sie es abschicken.",
    mendPlan: (rows) =>
      rows === 1 ? "Zeile übernehmen und planen" : "Zeilen übernehmen und planen",
    mended: "Verbesserte Zeilen",
    mendedBefore: "Vorher verbessert",
    mendedWas: (source, cells) =>
      `Vorher verbessert. In ${source} steht: ${cells.map(([column, text]) => `${column} ${text === "" ? "leer" : `„${text}“`}`).join(", ")}.`,
    mendedFirst: (shown, all, mended) =>
      `${shown} von ${all} vorher verbesserten Zeilen. Die übrigen stehen in ${mended}.`,
    takeBack: "Diese Verbesserung zurücknehmen",
    cell: (line, column) => `Zeile ${line}, ${column}`,
    nothingToMend: "Hier ist keine Zeile zu verbessern.",
    mendChanged:
      "Nichts wurde gespeichert: Zeilen haben sich geändert, seit Sie die Seite geöffnet haben. Sie wurden in einem anderen Fenster berichtigt, ein Lauf hat sie verwendet, oder die Tabelle ist eine andere.",
    mendNext: "Planen Sie neu, oder berichtigen Sie hier, was noch falsch ist.",
    mendWaits: "Die Zeilen zum Verbessern stehen hier, sobald der Plan fertig ist.",
    mendOlder:
      "Die Liste oder der Auftrag hat sich geändert, seit Zeilen abgelehnt wurden. Planen Sie neu, dann sehen Sie, welche jetzt abgelehnt werden.",
    mendLate:
      "Das haben Sie in Zeilen getippt, die sich seither geändert haben. Es gilt nicht. Tippen Sie es noch einmal, wo Sie es noch brauchen:",
    mendTyped: (place, text) => `${place}: „${text}“`,
    nothingMended: "Keine Zelle wurde geändert.",
  },
  schedule: {
    title: "Zeitplan",
    none: "Dieser Auftrag läuft, wenn ihn jemand startet.",
    when: "Wann er von selbst läuft",
    every: "Wie oft",
    everies: {
      day: "jeden Tag",
      weekday: "Montag bis Freitag",
      week: "einmal in der Woche",
      month: "am Ersten des Monats",
      own: "eigene Regel (cron)",
    },
    weekday: "Tag",
    weekdays: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
    time: "Uhrzeit",
    cron: "Eigene Regel: Minute Stunde Tag Monat Wochentag",
    timezone: "Zeitzone",
    on: "Einschalten",
    off: "Ausschalten",
    save: "Speichern",
    isOn: "Eingeschaltet",
    isOff: "Ausgeschaltet: nichts läuft von selbst. Die Regel bleibt erhalten.",
    last: "Zuletzt von selbst gelaufen",
    never: "nie",
    next: "Nächste Läufe",
    due: (when) => `sobald der Zeitplan geprüft wird, fällig seit ${when}`,
    who: (print) =>
      `Der Rechner muss dann an sein. Lassen Sie diesen Befehl weiterlaufen, oder richten Sie einen Zeitgeber des Systems ein (${print}). Ohne eines von beiden beginnt nichts von selbst.`,
  },
  approval: {
    title: "Freigabe durch den Kunden",
    hint: "Gewählte Etiketten in wahrer Größe, auf Seiten mit den Feldern, die der Kunde unterschreibt. Nichts wird gesendet, kein Code wird dafür gemacht.",
    lines: "Zeilen der Tabelle",
    linesHint: "Etwa 2-4,9. Leer: die Zeilen mit den längsten Texten.",
    make: "Freigabe erstellen",
    made: (labels, isLongest) =>
      `${many(labels, "Etikett", "Etiketten")}${isLongest ? " mit den längsten Texten" : ""} zur Unterschrift.`,
    download: "Freigabe herunterladen (PDF)",
    none: "Dieser Auftrag druckt keine Etiketten: es gibt nichts zu unterschreiben.",
  },
  newFile: {
    title: "Neue Tabelle für diesen Auftrag",
    hint: "Schicken Sie die neue Tabelle. Sie sehen zuerst den Unterschied. Wo eine Zeile bleibt, bleibt auch ihr Code. Höchstens 200 MB.",
    compare: "Unterschied zeigen",
    difference: "Das täte ein Lauf mit der neuen Tabelle. Noch ist nichts geändert.",
    take: "Diese Tabelle übernehmen und planen",
    past: "Der Auftrag oder die Tabelle hat sich seit diesem Vergleich geändert. Vergleichen Sie noch einmal: Dann sehen Sie, was die Tabelle jetzt ändern würde.",
    compareAgain: "Noch einmal vergleichen",
    leave: "Auftrag lassen, wie er ist",
  },
  monitor: {
    of: "{done} von {total}",
    failed: "{count} fehlgeschlagen",
    begins: "Es beginnt …",
    rate: "{rate} in der Sekunde",
    ends: "fertig gegen {time}",
    offline:
      "Der Arbeitsplatz antwortet nicht. Der Lauf geht weiter; diese Seite verbindet sich von selbst wieder.",
    signedOut:
      "Der Arbeitsplatz wurde neu gestartet: Öffnen Sie den Link, der in seinem Terminal steht.",
    waits: "Wartet:",
    lost: "Die Datei mit dem Stand des Auftrags fehlt. Die Codes von früher werden am Server gesucht.",
    stages: {
      codes: "Codes anlegen",
      changes: "Codes ändern",
      files: "Bilder holen",
      undo: "Zurücksetzen",
      "proof of pictures": "Jedes Bild zurücklesen",
      "proof of sheets": "Jeden Bogen zurücklesen",
      sheets: "Bogen zeichnen",
      archives: "Archive packen",
      scan: "Bilder lesen",
    },
  },
  kinds: kindsInGerman,
};
