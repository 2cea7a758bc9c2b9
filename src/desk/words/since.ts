/** What the desk says of codes that have changed at the service since a job made them, in both languages. */
import { many } from "./many.ts";

/** A hint of the engine names commands; the desk has buttons: what stands from here, up to there, is said so. */
const buttons: readonly (readonly [from: string, upTo: string, says: string])[] = [
  [
    "to make the codes that are gone anew: ",
    " (printed",
    "or click “Make the deleted codes anew”, here or on the result",
  ],
  ["to take them back: ", " (printed", "to take them back, click “Make the deleted codes anew”"],
  [
    "note that it is void: ",
    "; or click",
    "choose its label on the result and “Make the chosen codes void”",
  ],
  [
    "note that they are void: ",
    "; or click",
    "choose their labels on the result and “Make the chosen codes void”",
  ],
  ["to go on without it: ", "; to make", "to go on without it, plan and run this job"],
  ["to go on without them: ", "; to make", "to go on without them, plan and run this job"],
  ["look first: ", "", "look at the plan first; then come back to the run and click “Go on”"],
];

export const nameButtons = (hint: string): string =>
  buttons.reduce((text, [from, upTo, says]) => {
    const at = text.indexOf(from);
    // The last one: names of files in a command may have such signs, too.
    const end = text.lastIndexOf(upTo);
    return at < 0 || end < at ? text : text.slice(0, at) + says + text.slice(end);
  }, hint);

export const sinceInEnglish = {
  gone: (count: string, all: string) =>
    `Not ready for press: the service no longer has ${count} of ${many(all, "code", "codes")}`,
  goneShort: (count: string, all: string) =>
    `The service no longer has ${count} of ${many(all, "code", "codes")}`,
  changed: "Look at this before you print: codes at the service are not as this job made them",
  unread: "Look at this before you print: what the service has of these codes could not be read",
  unproved: "Do not print yet: the last check of the files found something wrong",
  changes: "Changed at the service since this job made its codes",
  retry: "Make the deleted codes anew",
  retryAsk:
    "Each of them gets a new code, and its sheets and pictures are made anew. Labels of the old ones that are printed already stay dead.",
  retryRefused: "Try the refused rows again",
  /** A check of the files. */
  asWritten:
    "Proved again: every file is as the run wrote it. But do not print yet. What is wrong stands here.",
  withWarnings: "Please look at these before you print:",
  /** Spoiled labels that get fresh serials. */
  replaceAsk:
    "Their codes become void for good, and each label gets a fresh serial with the next run. You can't take this back.",
  replaceNow: "Replace them: make their codes void",
  /** Of a schedule. */
  asks: (over: string) =>
    `A run that makes more than ${over} changes is refused: safety.confirm_over wants a yes, and nobody is there to give it.`,
  saysYes: "Say yes beforehand (schedule.yes)",
  tried: "Last tried by itself",
  refused:
    "It was refused, and did nothing: it makes more changes than safety.confirm_over allows without a yes. Plan and run it here, or say yes beforehand.",
  failed: "It did not end well. Look at the result, or plan to see why.",
  /** Of a plan. */
  nothingBut:
    "A run would change nothing. But something is to be looked at: it stands below under “Please look at these”.",
};

export const sinceInGerman: typeof sinceInEnglish = {
  gone: (count, all) =>
    `Nicht druckreif: Der Dienst hat ${count} von ${many(all, "Code", "Codes")} nicht mehr`,
  goneShort: (count, all) => `Der Dienst hat ${count} von ${many(all, "Code", "Codes")} nicht mehr`,
  changed:
    "Vor dem Druck ansehen: Codes sind beim Dienst nicht, wie dieser Auftrag sie gemacht hat",
  unread: "Vor dem Druck ansehen: Was der Dienst von diesen Codes hat, war nicht zu lesen",
  unproved: "Noch nicht drucken: Die letzte Prüfung der Dateien hat etwas gefunden",
  changes: "Beim Dienst geändert, seit dieser Auftrag seine Codes gemacht hat",
  retry: "Gelöschte Codes neu machen",
  retryAsk:
    "Jeder von ihnen bekommt einen neuen Code, und seine Bogen und Bilder werden neu gemacht. Schon gedruckte Etiketten der alten bleiben tot.",
  retryRefused: "Abgelehnte Zeilen noch einmal versuchen",
  asWritten:
    "Noch einmal geprüft: Jede Datei ist, wie der Lauf sie schrieb. Aber drucken Sie noch nicht. Was nicht stimmt, steht hier.",
  withWarnings: "Bitte vor dem Druck ansehen:",
  replaceAsk:
    "Ihre Codes werden endgültig ungültig, und jedes Etikett bekommt mit dem nächsten Lauf eine neue Seriennummer. Das lässt sich nicht zurücknehmen.",
  replaceNow: "Ersetzen: ihre Codes ungültig machen",
  asks: (over) =>
    `Ein Lauf mit mehr als ${over} Änderungen wird abgelehnt: safety.confirm_over verlangt ein Ja, und niemand ist da, der es gibt.`,
  saysYes: "Im Voraus Ja sagen (schedule.yes)",
  tried: "Zuletzt von selbst versucht",
  refused:
    "Er wurde abgelehnt und hat nichts getan: Er macht mehr Änderungen, als safety.confirm_over ohne ein Ja erlaubt. Planen und starten Sie ihn hier, oder sagen Sie im Voraus Ja.",
  failed:
    "Er ging nicht gut zu Ende. Sehen Sie das Ergebnis an, oder planen Sie, dann sehen Sie, warum.",
  nothingBut:
    "Ein Lauf würde nichts ändern. Aber etwas ist anzusehen: Es steht unten bei „Bitte ansehen“.",
};
