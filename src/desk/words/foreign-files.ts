/**
 * Files that are no spreadsheet, in German: src/read/files/sniff.ts, src/read/xlsx/xlsx-package.ts,
 * src/read/table.ts.
 */

/** What a file is. */
export const foreignFiles: Readonly<Record<string, string>> = {
  "a damaged file or one of another kind": "eine beschädigte Datei oder eine von anderer Art",
  "a text file": "eine Textdatei",
  "a PNG image": "ein PNG-Bild",
  "a JPEG image": "ein JPEG-Bild",
  "a GIF image": "ein GIF-Bild",
  "a WebP image": "ein WebP-Bild",
  "a TIFF image": "ein TIFF-Bild",
  "a PDF document": "ein PDF",
  "a gzip archive": "ein gzip-Archiv",
  "a 7-Zip archive": "ein 7-Zip-Archiv",
  "a RAR archive": "ein RAR-Archiv",
  "a bzip2 archive": "ein bzip2-Archiv",
  "a Zstandard archive": "ein Zstandard-Archiv",
  "a ZIP archive": "ein ZIP-Archiv",
  "an SQLite database": "eine SQLite-Datenbank",
  "a Parquet file": "eine Parquet-Datei",
  "text in UTF-32": "Text in UTF-32",
  "a manifest": "ein Manifest",
  "an RTF document": "ein RTF-Dokument",
  "a program": "ein Programm",
  "a vCard file": "eine vCard-Datei",
  "a calendar": "ein Kalender",
  "a SocialCalc sheet": "eine Tabelle von SocialCalc",
  "an old Excel workbook (.xls)": "eine alte Excel-Mappe (.xls)",
  "a Lotus 1-2-3 worksheet": "eine Tabelle von Lotus 1-2-3",
  "an encrypted workbook": "eine verschlüsselte Mappe",
  "an old Word document (.doc)": "ein altes Word-Dokument (.doc)",
  "an Outlook message (.msg)": "eine Nachricht von Outlook (.msg)",
  "an old PowerPoint presentation (.ppt)": "eine alte PowerPoint-Präsentation (.ppt)",
  "a web page (HTML)": "eine Webseite (HTML)",
  "an XML file": "eine XML-Datei",
  "an XML spreadsheet of 2003": "eine XML-Tabelle von 2003",
  "an OpenDocument file (.fods)": "eine OpenDocument-Datei (.fods)",
  "an OpenDocument file (.ods)": "eine OpenDocument-Datei (.ods)",
  "a SYLK spreadsheet (.slk)": "eine SYLK-Tabelle (.slk)",
  "a DIF spreadsheet (.dif)": "eine DIF-Tabelle (.dif)",
  "a JSON file": "eine JSON-Datei",
  "SQL commands": "SQL-Befehle",
  "a dBase table (.dbf)": "eine dBase-Tabelle (.dbf)",
  "a binary workbook (.xlsb)": "eine binäre Mappe (.xlsb)",
  "a Word document": "ein Word-Dokument",
  "a PowerPoint presentation": "eine PowerPoint-Präsentation",
  "an Apple Numbers or Pages document": "ein Dokument von Apple Numbers oder Pages",
};

/** What to do with it. English, German. */
export const foreignSayings: readonly (readonly [english: string, german: string])[] = [
  [
    "open it in Excel and save it as Excel Workbook (.xlsx)",
    "In Excel öffnen und als Excel-Arbeitsmappe (.xlsx) speichern",
  ],
  [
    "open it in a spreadsheet program and save it as XLSX or CSV",
    "In einem Tabellenprogramm öffnen und als XLSX oder CSV speichern",
  ],
  [
    "open it in a spreadsheet program and save it as Excel Workbook (.xlsx)",
    "In einem Tabellenprogramm öffnen und als Excel-Arbeitsmappe (.xlsx) speichern",
  ],
  [
    "open it in Excel or LibreOffice and save it again as XLSX",
    "In Excel oder LibreOffice öffnen und noch einmal als XLSX speichern",
  ],
  ["save it again as CSV in UTF-8", "Noch einmal als CSV in UTF-8 speichern"],
  ["choose the spreadsheet itself", "Die Tabelle selbst wählen"],
  ["choose the spreadsheet that it names", "Die Tabelle wählen, die es nennt"],
  [
    "ask for the spreadsheet that it was made from",
    "Nach der Tabelle fragen, aus der es gemacht wurde",
  ],
  ["unpack it first", "Zuerst auspacken"],
  ["export the table as CSV", "Die Tabelle als CSV exportieren"],
  ["export the contacts as CSV", "Die Kontakte als CSV exportieren"],
  ["export it as CSV", "Als CSV exportieren"],
  [
    "open it, remove the password (File > Info > Protect) and save it again",
    "Öffnen, das Kennwort entfernen (Datei > Informationen > Schützen) und wieder speichern",
  ],
  ["save its attachment, and choose that", "Ihren Anhang speichern und den wählen"],
  ["source must be CSV or XLSX, got {}: {}", "Die Tabelle muss CSV oder XLSX sein, nicht {}: {}"],
  [
    "source must be a file, got a folder: {}",
    "Die Tabelle muss eine Datei sein, hier ist ein Ordner: {}",
  ],
  [
    "source must be a file, got a pipe: {}",
    "Die Tabelle muss eine Datei sein, hier ist eine Pipe: {}",
  ],
  [
    'source.file: "-" reads standard input',
    'Mit source.file: "-" liest ein Auftrag die Standardeingabe',
  ],
  [
    "source named {} must be a workbook, got {}: {}",
    "Eine Tabelle, deren Name auf {} endet, muss eine Arbeitsmappe sein, nicht {}: {}",
  ],
  [
    "open it in a spreadsheet program and save it again, or ask for it once more",
    "In einem Tabellenprogramm öffnen und noch einmal speichern, oder noch einmal um sie bitten",
  ],
  ["if it is CSV, rename it to .csv", "Ist sie CSV, in .csv umbenennen"],
  ["source must be CSV or XLSX, got {}", "Die Tabelle muss CSV oder XLSX sein, nicht {}"],
];
