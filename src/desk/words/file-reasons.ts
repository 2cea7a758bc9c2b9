/** What is wrong with a file as a whole, in German: src/read/csv.ts, src/desk/jobs.ts. */

/** English, German; `{}` as in `reasons.ts`. */
export const fileSayings: readonly (readonly [english: string, german: string])[] = [
  [
    "the job must be in the desk's folder, got {}",
    "Der Auftrag muss im Ordner des Arbeitsplatzes liegen; dort fehlt {}",
  ],
  [
    "line {} looks like a row, not like names of columns: {}; it is taken as the header, so nothing is made of it",
    "Zeile {} sieht aus wie eine Datenzeile, nicht wie Spaltennamen: {}; sie gilt als Kopfzeile, aus ihr wird also nichts",
  ],
  [
    "put a line with names of columns above it",
    "Schreiben Sie eine Zeile mit Spaltennamen darüber",
  ],
  [
    "file is not UTF-8 and was read as windows-1252, but looks like Japanese, Chinese or Korean text (Shift-JIS, GBK, EUC-KR, Big5): its letters come out wrong",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 gelesen, sieht aber nach japanischem, chinesischem oder koreanischem Text aus (Shift-JIS, GBK, EUC-KR, Big5): Ihre Zeichen sind falsch",
  ],
  [
    "file is not UTF-8 and was read as windows-1252, but looks like Mac OS Roman: {} is {} there",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 gelesen, sieht aber nach Mac OS Roman aus: {} heißt dort {}",
  ],
  [
    "file is not UTF-8 and was read as windows-1252 (Western European)",
    "Die Datei ist nicht UTF-8 und wurde als windows-1252 (westeuropäisch) gelesen",
  ],
  ["save the file as CSV UTF-8", "Die Datei als CSV UTF-8 speichern"],
  [
    "set source.encoding: macintosh, or save the file as CSV UTF-8",
    "Die Datei als CSV UTF-8 speichern; oder der Auftrag nennt source.encoding: macintosh",
  ],
  [
    "check the letters with accents: Polish, Czech and Hungarian files are likely windows-1250 (Cyrillic 1251, Greek 1253, Turkish 1254, Baltic 1257): set source.encoding, or save the file as CSV UTF-8",
    "Umlaute und Akzente ansehen und die Datei, wenn sie falsch sind, als CSV UTF-8 speichern; oder der Auftrag nennt unter source.encoding die richtige Kodierung (polnische, tschechische und ungarische Dateien haben meist windows-1250, kyrillische 1251, griechische 1253, türkische 1254, baltische 1257)",
  ],
  [
    "a spreadsheet must be chosen, got the file that holds an API token: {}",
    "Gewählt werden muss eine Tabelle; diese Datei enthält ein API-Token: {}",
  ],
  ["choose another file", "Eine andere Datei wählen"],
  [
    "it was moved, renamed or removed: choose one in the list of jobs",
    "Er wurde verschoben, umbenannt oder gelöscht: Wählen Sie einen aus der Liste der Aufträge",
  ],
];
