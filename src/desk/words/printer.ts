/** What the desk says of a printer that prints beside the place, in both languages. */

export const printerInEnglish = {
  title: "Printer",
  link: "Do labels lie beside their place? Measure the printer",
  hint: "A printer may print a little beside the place, or a little too large. Measure that once. From then on, the sheets of this job undo it.",
  page: "Print this page at 100% on plain paper. Hold it against a sheet of labels.",
  download: "Alignment page",
  measure: "Enter what you see, and save. Then run the job: its sheets are made anew.",
  name: "Name of the printer",
  nameHint: "A name of your own, such as office. Jobs in the same folder can use it, too.",
  fields: {
    offset_x_mm: "Printed too far to the right, in mm (to the left: -0.4)",
    offset_y_mm: "Printed too far down, in mm (up: -0.4)",
    scale_x_percent: "100 mm across come out as, in mm",
    scale_y_percent: "100 mm down come out as, in mm",
    turn_degrees: "Turned clockwise, in degrees",
  },
  save: "Save",
  off: "Correct no printer",
  saved: (name: string) =>
    `Saved. This job corrects the printer ${name}. Run it: its sheets are made anew.`,
  isOff: "Saved. This job corrects no printer. Run it: its sheets are made anew.",
  inUse: (name: string) => `This job corrects the printer ${name}.`,
  noneInUse: "This job corrects no printer.",
  others: "Other printers",
  use: (name: string) => `Look at ${name}`,
  noName: "The printer must have a name, got none.",
  outside: ({ field, least, most, typed }: Record<"field" | "least" | "most" | "typed", string>) =>
    `“${field}” must be a number from ${least} to ${most}, got ${typed}. Measure again: with more than that, the paper lies wrong or the print was not at 100%.`,
  none: "This job prints no sheets of labels.",
  measured: "Take these numbers over",
};

export const printerInGerman: typeof printerInEnglish = {
  title: "Drucker",
  link: "Liegen Etiketten neben ihrem Platz? Drucker vermessen",
  hint: "Ein Drucker druckt oft ein wenig daneben oder ein wenig zu groß. Messen Sie das einmal. Von da an gleichen die Bogen dieses Auftrags es aus.",
  page: "Drucken Sie diese Seite zu 100 % auf leeres Papier. Halten Sie sie gegen einen Etikettenbogen.",
  download: "Ausrichtungsseite",
  measure:
    "Tragen Sie ein, was Sie sehen, und speichern Sie. Starten Sie dann den Lauf: Die Bogen werden neu gemacht.",
  name: "Name des Druckers",
  nameHint:
    "Ein eigener Name, zum Beispiel Büro. Aufträge im selben Ordner können ihn auch verwenden.",
  fields: {
    offset_x_mm: "Zu weit rechts gedruckt, in mm (zu weit links: -0,4)",
    offset_y_mm: "Zu tief gedruckt, in mm (zu hoch: -0,4)",
    scale_x_percent: "100 mm in der Breite werden zu, in mm",
    scale_y_percent: "100 mm in der Höhe werden zu, in mm",
    turn_degrees: "Im Uhrzeigersinn verdreht, in Grad",
  },
  save: "Speichern",
  off: "Keinen Drucker ausgleichen",
  saved: (name) =>
    `Gespeichert. Dieser Auftrag gleicht den Drucker ${name} aus. Starten Sie den Lauf: Die Bogen werden neu gemacht.`,
  isOff:
    "Gespeichert. Dieser Auftrag gleicht keinen Drucker aus. Starten Sie den Lauf: Die Bogen werden neu gemacht.",
  inUse: (name) => `Dieser Auftrag gleicht den Drucker ${name} aus.`,
  noneInUse: "Dieser Auftrag gleicht keinen Drucker aus.",
  others: "Andere Drucker",
  use: (name) => `${name} ansehen`,
  noName: "Der Drucker muss einen Namen haben.",
  outside: ({ field, least, most, typed }) =>
    `„${field}“ muss eine Zahl von ${least} bis ${most} sein, ist aber ${typed}. Messen Sie noch einmal: Bei mehr liegt das Papier falsch, oder es wurde nicht zu 100 % gedruckt.`,
  none: "Dieser Auftrag druckt keine Etikettenbogen.",
  measured: "Diese Zahlen übernehmen",
};
