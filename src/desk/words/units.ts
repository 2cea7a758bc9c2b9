/** What the result says of labels that are taken out of use, in both languages. */
import { many } from "./many.ts";

const codesEn = (count: string): string => many(count, "code is", "codes are");
const codesDe = (count: string): string => many(count, "Code ist", "Codes sind");

export const unitsInEnglish = {
  /** What a job does with spoiled labels (`output.sheets.reprint`), where it prints none again. */
  policies: {
    new: "Click the labels that were spoiled. Their codes become void, and each gets a fresh serial. The next run makes and prints those.",
    forbidden:
      "Labels of this job are not printed a second time. Click those that must not be used any more.",
  },
  replace: "Replace the chosen labels",
  /** Where spoiled labels are printed again as they are. */
  replaceSame: "Print the spoiled labels again",
  void: "Take the chosen codes out of use",
  voidAsk:
    "Their short links then lead to a page that says the code is void. You can't take this back. A code that holds an address, a text or a Digital Link itself can still be read.",
  voidNow: "Make the chosen codes void",
  reason: "Reason",
  voided: (count: string) => `${codesEn(count)} void now.`,
  replaced: (count: string) =>
    `${codesEn(count)} void now, with a fresh serial${count === "1" ? "" : " each"}.`,
  toRun: "Plan and run to make and print them.",
  already: (count: string) => `${codesEn(count)} void since earlier.`,
  silenced: (count: string) =>
    `${many(count, "void code leads", "void codes lead")} to a page that says the code is void.`,
  alive: (count: string) =>
    `${many(count, "void code can still be read and works as before", "void codes can still be read and work as before")}.`,
  activate: "The chosen labels are on their goods",
  activateHint: "That is noted in the ledger. Void codes are refused.",
  activateNow: "Note that they are on their goods",
  activated: (count: string) => `${codesEn(count)} noted as being on the goods.`,
  onGoods: (count: string) => `On their goods: ${count}.`,
  /** Labels that are chosen on sheets which the page does not show. */
  elsewhere: (count: string) => `Chosen on other sheets: ${many(count, "label", "labels")}`,
  startRange: (most: string, typed: string) =>
    `The first free label must be a number from 1 to ${most}, got ${typed}. Count from the upper left, row by row. Nothing was printed, and your labels are still chosen.`,
  startOfOne: (files: string, typed: string) =>
    `The first free label must be 1 for labels of several PDFs, got ${typed}. You chose labels of ${files}; each PDF gets sheets of its own. Write 1, or choose labels of one PDF. Nothing was printed, and your labels are still chosen.`,
  isVoid: "void",
  struck: "Labels that are struck through are void.",
  reconcile: "Account for every label",
  reconciled: "Every code and label is accounted for.",
  notReconciled: "Not every code and label is accounted for. What does not fit stands here.",
  codes: (minted: string, gone: string, replaced: string) =>
    `Codes: ${minted}; of these void: ${gone}, replaced: ${replaced}.`,
  unmade: (count: string) => `${many(count, "row has", "rows have")} no code yet. Let the job run.`,
  retired: (filed: string, deleted: string) =>
    `Codes whose rows are gone: ${filed} filed, ${deleted} deleted.`,
  labels: (good: string, spoiled: string, gone: string) =>
    `Labels: ${good} good, ${spoiled} spoiled, ${gone} void.`,
  damaged: (count: string) =>
    `${many(count, "label was", "labels were")} damaged or missing in the last check of printed sheets.`,
};

export const unitsInGerman: typeof unitsInEnglish = {
  policies: {
    new: "Klicken Sie auf verdorbene Etiketten. Ihre Codes werden ungültig, und jeder bekommt eine neue Seriennummer. Der nächste Lauf erstellt und druckt diese.",
    forbidden:
      "Etiketten dieses Auftrags werden kein zweites Mal gedruckt. Klicken Sie auf die, die nicht mehr gelten sollen.",
  },
  replace: "Gewählte Etiketten ersetzen",
  replaceSame: "Verdorbene Etiketten noch einmal drucken",
  void: "Gewählte Codes aus dem Verkehr ziehen",
  voidAsk:
    "Ihre Kurzlinks führen dann zu einer Seite, die den Code ungültig nennt. Das lässt sich nicht zurücknehmen. Enthält ein Code selbst eine Adresse, einen Text oder einen Digital Link, bleibt er lesbar.",
  voidNow: "Gewählte Codes ungültig machen",
  reason: "Grund",
  voided: (count) => `${codesDe(count)} jetzt ungültig.`,
  replaced: (count) =>
    `${codesDe(count)} jetzt ungültig, mit ${count === "1" ? "" : "je "}einer neuen Seriennummer.`,
  toRun: "Planen Sie, und lassen Sie den Auftrag laufen: Er erstellt und druckt sie.",
  already: (count) => `${codesDe(count)} schon seit früher ungültig.`,
  silenced: (count) =>
    `${many(count, "ungültiger Code führt", "ungültige Codes führen")} zu einer Seite, die das Etikett ungültig nennt.`,
  alive: (count) =>
    `${many(count, "ungültiger Code bleibt lesbar und wirkt wie vorher", "ungültige Codes bleiben lesbar und wirken wie vorher")}.`,
  activate: "Gewählte Etiketten sind auf der Ware",
  activateHint: "Das wird im Nachweis vermerkt. Ungültige Codes werden abgelehnt.",
  activateNow: "Vermerken, dass sie auf der Ware sind",
  activated: (count) => `${codesDe(count)} als auf der Ware vermerkt.`,
  onGoods: (count) => `Auf der Ware: ${count}.`,
  elsewhere: (count) => `Auf anderen Bogen gewählt: ${many(count, "Etikett", "Etiketten")}`,
  startRange: (most, typed) =>
    `Das erste freie Etikett muss eine Zahl von 1 bis ${most} sein; hier steht ${typed}. Zählen Sie von links oben, Reihe für Reihe. Gedruckt wurde nichts, und Ihre Etiketten sind noch gewählt.`,
  startOfOne: (files, typed) =>
    `Das erste freie Etikett muss bei Etiketten mehrerer PDFs 1 sein; hier steht ${typed}. Gewählt sind Etiketten von ${files}; jedes PDF bekommt eigene Bogen. Schreiben Sie 1, oder wählen Sie Etiketten eines PDFs. Gedruckt wurde nichts, und Ihre Etiketten sind noch gewählt.`,
  isVoid: "ungültig",
  struck: "Durchgestrichene Etiketten sind ungültig.",
  reconcile: "Jedes Etikett nachweisen",
  reconciled: "Jeder Code und jedes Etikett ist nachgewiesen.",
  notReconciled:
    "Nicht jeder Code und jedes Etikett ist nachgewiesen. Was nicht stimmt, steht hier.",
  codes: (minted, gone, replaced) =>
    `Codes: ${minted}; davon ungültig: ${gone}, ersetzt: ${replaced}.`,
  unmade: (count) =>
    `${many(count, "Zeile hat", "Zeilen haben")} noch keinen Code. Lassen Sie den Auftrag laufen.`,
  retired: (filed, deleted) => `Codes ohne Zeile: ${filed} abgelegt, ${deleted} gelöscht.`,
  labels: (good, spoiled, gone) =>
    `Etiketten: ${good} gut, ${spoiled} verdorben, ${gone} ungültig.`,
  damaged: (count) =>
    `Bei der letzten Prüfung gedruckter Bogen beschädigt oder nicht da: ${many(count, "Etikett", "Etiketten")}.`,
};
