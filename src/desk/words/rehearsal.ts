/** What the desk says of codes that lead to one computer only, in both languages. */

/** Whether the sheets say so: they may have no room for it, or there are none. */
export const marksInEnglish = {
  marked: ", and the sheets say so",
  unmarked: ", and the sheets have no room to say so",
  none: "",
};

export type RehearsalMark = keyof typeof marksInEnglish;

export const rehearsalInEnglish = {
  rehearsal: (mark: RehearsalMark): string =>
    `This is a rehearsal: the codes will lead to this computer only${marksInEnglish[mark]}. Go on to look at your labels. Set the public address before you print them for others.`,
  unmarked: "The sheets have no room to say that this is a rehearsal.",
};

export const marksInGerman: typeof marksInEnglish = {
  marked: ", und die Bogen sagen das",
  unmarked: ", und auf den Bogen ist kein Platz, das zu sagen",
  none: "",
};

export const rehearsalInGerman: typeof rehearsalInEnglish = {
  rehearsal: (mark) =>
    `Das ist eine Probe: Die Codes führen nur zu diesem Rechner${marksInGerman[mark]}. Sehen Sie Ihre Etiketten ruhig an. Setzen Sie die öffentliche Adresse, bevor Sie für andere drucken.`,
  unmarked: "Auf den Bogen ist kein Platz für den Hinweis, dass das eine Probe ist.",
};
