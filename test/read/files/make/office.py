"""LibreOffice, by its own interface: opens files, saves them, and says what it shows.

office.py save FOLDER    saves the workbooks of openpyxl under libreoffice/, in its own formats
office.py type FOLDER    types a list into an empty sheet as a person does, in German, and saves it
office.py show FOLDER    writes FOLDER/shown.jsonl: what each file shows, cell by cell. Where Gnumeric
                         shows another text, both stand there
"""
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.table.CellContentType import EMPTY, FORMULA

GERMAN = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>de-DE</value></prop></item></oor:items>"""


def prop(name, value):
    return PropertyValue(name, 0, value, 0)


class Office:
    def __init__(self, german=False):
        self.folder = tempfile.TemporaryDirectory()
        if german:
            user = Path(self.folder.name) / "user"
            user.mkdir()
            (user / "registrymodifications.xcu").write_text(GERMAN)
        pipe = f"rows{os.getpid()}"
        self.process = subprocess.Popen([
            "soffice", "--headless", "--norestore", f"-env:UserInstallation=file://{self.folder.name}",
            f"--accept=pipe,name={pipe};urp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        for _ in range(120):
            try:
                context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.5)
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)

    def open(self, file, *more):
        return self.desktop.loadComponentFromURL(Path(file).resolve().as_uri(), "_blank", 0,
                                                 (prop("Hidden", True), *more))

    def new(self):
        return self.desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (prop("Hidden", True),))

    def close(self):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        self.process.wait()
        self.folder.cleanup()


def save(book, file, filter_name, options=""):
    file.parent.mkdir(parents=True, exist_ok=True)
    more = (prop("FilterOptions", options),) if options else ()
    book.storeToURL(file.resolve().as_uri(), (prop("FilterName", filter_name), *more))


XLSX = "Calc MS Excel 2007 XML"
CSV = "Text - txt - csv (StarCalc)"
# Delimiter, quote, character set, first row, formats, language, quote all, as shown, formulas, no trim, sheet
WAYS = {"comma-utf8": "44,34,76,1,,0,false,true,false,false,false,0",
        "semicolon-quoted": "59,34,76,1,,0,true,true,false,false,false,0",
        "tabs-utf16": "9,34,65535,1,,0,false,true,false,false,false,0",
        "cp1252": "59,34,1,1,,0,false,true,false,false,false,0",
        "values": "44,34,76,1,,0,false,false,false,false,false,0",
        "formulas": "44,34,76,1,,0,false,true,true,false,false,0"}


def save_all(folder):
    office = Office()
    for file in sorted((folder / "openpyxl").glob("*.xlsx")):
        book = office.open(file)
        save(book, folder / "libreoffice" / file.name, XLSX)
        ways = {"formats": ["comma-utf8", "semicolon-quoted", "values"], "dates": ["comma-utf8", "values"],
                "texts": ["comma-utf8", "semicolon-quoted", "tabs-utf16"], "money": ["cp1252"],
                "results": ["formulas"], "codes": ["comma-utf8"], "layout": ["comma-utf8"], "truths": ["comma-utf8"],
                "times": ["comma-utf8"], "masks": ["comma-utf8"], "numbers": ["comma-utf8", "values"]}
        for way in ways.get(file.stem, ()):
            save(book, folder / "libreoffice" / f"{file.stem}-{way}.csv", CSV, WAYS[way])
        if file.stem == "codes":
            for ending, name in {"xls": "MS Excel 97", "ods": "calc8", "fods": "OpenDocument Spreadsheet Flat XML",
                                 "html": "HTML (StarCalc)", "slk": "SYLK", "dif": "DIF",
                                 "xlsm": "Calc MS Excel 2007 VBA XML", "xlt": "MS Excel 97 Vorlage/Template",
                                 "xltx": "Calc MS Excel 2007 XML Template"}.items():
                save(book, folder / "libreoffice" / f"codes.{ending}", name)
        book.close(True)
    book = office.open(folder / "openpyxl" / "codes.xlsx")
    book.storeToURL((folder / "libreoffice" / "codes-password.ods").resolve().as_uri(),
                    (prop("FilterName", "calc8"), prop("Password", "secret")))
    book.close(True)
    office.close()


TYPED = [["Nr", "Artikel", "Preis", "Anteil", "Datum", "Zeit", "Menge", "EAN", "PLZ", "Bruch", "Ende"],
         ["1", "Käse", "1.234,50 €", "12,5%", "20.11.2026", "18:30", "1.234", "4006381333931", "01067", "1/2", "x"],
         ["2", "Öl 5\"", "0,99 €", "3%", "1.2.26", "8:05", "12,5", "'0950600013435", "'01067", "1 1/4", "x"],
         ["3", "=A2+A3", "=C2*2", "=D2/3", "=E2+1", "=F2+F3", "=G2/7", "12345678901234567", "D-1067", "WAHR", "x"],
         ["4", "ja", "1E3", "50 %", "Nov 26", "36:00", "-1.000", "1234567890128", "00950", "FALSCH", "x"]]


def type_all(folder):
    office = Office(german=True)
    book = office.new()
    sheet = book.Sheets.getByIndex(0)
    for r, row in enumerate(TYPED):
        for c, text in enumerate(row):
            sheet.getCellByPosition(c, r).FormulaLocal = text
    save(book, folder / "libreoffice" / "typed-german.xlsx", XLSX)
    save(book, folder / "libreoffice" / "typed-german.csv", CSV, WAYS["semicolon-quoted"].replace(",true,true,", ",false,true,"))
    book.close(True)
    office.close()


def show_cell(cell):
    return "" if cell.Type == EMPTY else cell.String


def show_sheet(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    last = cursor.RangeAddress
    rows = [[show_cell(sheet.getCellByPosition(c, r)) for c in range(last.EndColumn + 1)]
            for r in range(last.EndRow + 1)]
    hidden_rows = [r + 1 for r in range(last.EndRow + 1) if not sheet.Rows.getByIndex(r).IsVisible]
    hidden_columns = [sheet.Columns.getByIndex(c).Name for c in range(last.EndColumn + 1)
                      if not sheet.Columns.getByIndex(c).IsVisible]
    shown = {"sheet": sheet.Name, "rows": rows}
    if hidden_rows:
        shown["hiddenRows"] = hidden_rows
    if hidden_columns:
        shown["hiddenColumns"] = hidden_columns
    return shown


def show_book(book):
    first = next(book.Sheets.getByIndex(at) for at in range(book.Sheets.Count) if book.Sheets.getByIndex(at).IsVisible)
    return show_sheet(first)


def show_in_gnumeric(file, sheet):
    """Rows from the first cell that holds something."""
    name = sheet.replace("'", "\\'")
    with tempfile.NamedTemporaryFile(suffix=".csv") as out:
        subprocess.run(["ssconvert", "-T", "Gnumeric_stf:stf_assistant", "-O",
                        f"separator=',' format=preserve sheet='{name}'", str(file), out.name],
                       capture_output=True, check=True)
        return list(csv.reader(open(out.name, newline="", encoding="utf-8")))


def as_typed(text):
    """Signs and gaps that mean the same."""
    return " ".join(text.replace("\u2212", "-").replace("\u200a", " ").split())


def add_other(shown, other):
    """A cell that the second program shows otherwise becomes a pair."""
    rows = shown["rows"]
    top = next(r for r, row in enumerate(rows) if any(row))
    left = min(next(c for c, text in enumerate(row) if text) for row in rows if any(row))
    for r, row in enumerate(other, top):
        for c, text in enumerate(row, left):
            if r < len(rows) and c < len(rows[r]) and as_typed(text) != as_typed(rows[r][c]):
                rows[r][c] = [rows[r][c], text]


# Ending of the name -> delimiter and character set, as the program that wrote it was asked to write.
COMMA, SEMICOLON, TAB, PIPE = 44, 59, 9, 124
UTF8, CP1252, UTF16, MAC = 76, 1, 65535, 2
TEXT_WAYS = [("gnumeric/semicolon.csv", SEMICOLON, UTF8), ("libreoffice/money-cp1252.csv", SEMICOLON, CP1252),
             ("libreoffice/texts-tabs-utf16.csv", TAB, UTF16), ("-semicolon-quoted.csv", SEMICOLON, UTF8),
             ("typed-german.csv", SEMICOLON, UTF8), ("pandas/semicolon.csv", SEMICOLON, UTF8),
             ("pandas/utf16.csv", COMMA, UTF16), ("pandas/latin1.csv", COMMA, CP1252), ("r/write-csv2.csv", SEMICOLON, UTF8),
             ("r/latin1.csv", SEMICOLON, CP1252), ("sheetjs/formats.csv", SEMICOLON, UTF8), ("sheetjs/codes.txt", TAB, UTF16),
             ("papaparse/quoted-semicolon.csv", SEMICOLON, UTF8), ("bom-pipe.csv", PIPE, UTF8), ("quoted-tabs.txt", TAB, UTF8),
             ("crlf-all.csv", SEMICOLON, UTF8), ("sqlite/list.txt", PIPE, UTF8), ("php/semicolon-bom.csv", SEMICOLON, UTF8),
             ("ruby/forced.csv", SEMICOLON, UTF8), ("ruby/utf16le.csv", TAB, UTF16), ("python/cp1252.csv", SEMICOLON, CP1252),
             ("python/mac-roman.csv", SEMICOLON, MAC), ("python/pipe.csv", PIPE, UTF8), ("python/sep-line.csv", SEMICOLON, UTF8),
             ("miller/quoted.csv", SEMICOLON, UTF8), ("csvkit/semicolon.csv", SEMICOLON, UTF8),
             ("postgresql/copy-forced.csv", SEMICOLON, UTF8), (".tsv", TAB, UTF8), (".csv", COMMA, UTF8)]


def as_plain(file, folder):
    """LibreOffice is not asked to find out about marks that stand for no text."""
    if file.name == "utf16be.csv":
        text = file.read_bytes().decode("utf-16-be")
    elif file.name == "sep-line.csv":
        text = file.read_bytes().decode("utf-8").split("\r\n", 1)[1]
    else:
        return file
    plain = Path(folder) / file.name
    plain.write_bytes(text.encode("utf-8"))
    return plain


def open_text(office, file):
    """All columns as texts: nothing is guessed."""
    path = file.as_posix()
    file = as_plain(file, office.folder.name)
    delimiter, charset = next((d, c) for ending, d, c in TEXT_WAYS if path.endswith(ending))
    columns = "/".join(f"{n}/2" for n in range(1, 40))
    options = f"{delimiter},34,{charset},1,{columns},0,false,false,false"
    return office.open(file, prop("FilterName", CSV), prop("FilterOptions", options))


def show_all(folder):
    office = Office()
    shown = {}
    for file in sorted(folder.glob("*/*")):
        name = str(file.relative_to(folder))
        is_book = file.suffix in (".xlsx", ".xlsm", ".xltx")
        if not is_book and file.suffix not in (".csv", ".tsv", ".txt") or "password" in name:
            continue
        book = office.open(file) if is_book else open_text(office, file)
        one = shown[name] = show_book(book)
        book.close(True)
        if is_book:
            add_other(one, show_in_gnumeric(file, one["sheet"]))
        else:
            del one["sheet"]
    office.close()
    return shown


if __name__ == "__main__":
    target = Path(sys.argv[2])
    if sys.argv[1] == "show":
        lines = [json.dumps({"file": name, **one}, ensure_ascii=False) for name, one in show_all(target).items()]
        (target / "shown.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        {"save": save_all, "type": type_all}[sys.argv[1]](target)
