/** What the desk says of answers to a job's forms, in both languages. */
import { many } from "./many.ts";

export const answersInEnglish = {
  title: "Answers",
  count: (answers: string, forms: string): string =>
    `${many(answers, "answer", "answers")} to ${many(forms, "form", "forms")} so far.`,
  hint: "The command writes them into the output folder, as answers.csv and answers.xlsx, with images.",
  see: "See forms and answers",
};

export const answersInGerman: typeof answersInEnglish = {
  title: "Antworten",
  count: (answers, forms) =>
    `Bisher ${many(answers, "Antwort", "Antworten")} auf ${many(forms, "Formular", "Formulare")}.`,
  hint: "Der Befehl schreibt sie in den Ausgabeordner, als answers.csv und answers.xlsx, mit Bildern.",
  see: "Formulare und Antworten ansehen",
};
