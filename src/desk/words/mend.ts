/** What the grid of rows to mend says while the job runs, in both languages. */
export const mendInEnglish = {
  begins:
    "This job is running right now and has not read all rows yet. What you type here is kept. You can save it once the run sends its first rows.",
  runs: "This job is running right now. Rows that you mend now count in the next run.",
  older:
    "Rows that have changed since the run began are not shown as refused. Plan again once it has ended.",
  notYet:
    "Nothing was saved yet: a run of this job had just begun. What you typed was kept. Send it again.",
  saved:
    "Your corrections were saved. A run that was going on then does not use them. Plan and run again once it has ended.",
  keep: (rows: number): string =>
    rows === 1 ? "Keep this row for the next run" : "Keep these rows for the next run",
};

export const mendInGerman: typeof mendInEnglish = {
  begins:
    "Dieser Auftrag läuft gerade und hat noch nicht alle Zeilen gelesen. Was Sie hier tippen, bleibt erhalten. Speichern können Sie es, sobald der Lauf die ersten Zeilen sendet.",
  runs: "Dieser Auftrag läuft gerade. Zeilen, die Sie jetzt verbessern, gelten im nächsten Lauf.",
  older:
    "Zeilen, die sich seit Beginn des Laufs geändert haben, stehen hier nicht als abgelehnt. Planen Sie neu, wenn er fertig ist.",
  notYet:
    "Noch wurde nichts gespeichert: Ein Lauf dieses Auftrags hatte gerade begonnen. Was Sie getippt haben, ist noch da. Senden Sie es noch einmal.",
  saved:
    "Ihre Korrekturen wurden gespeichert. Ein Lauf, der gerade im Gang war, verwendet sie nicht. Planen und starten Sie neu, wenn er fertig ist.",
  keep: (rows) =>
    rows === 1
      ? "Diese Zeile für den nächsten Lauf behalten"
      : "Diese Zeilen für den nächsten Lauf behalten",
};
