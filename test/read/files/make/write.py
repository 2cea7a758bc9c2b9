"""openpyxl, XlsxWriter and pandas write the topics: write.py FOLDER."""
import csv
import datetime
import re
import sys
from pathlib import Path

import openpyxl
import pandas
import xlsxwriter
from openpyxl.comments import Comment
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.table import Table

from topics import D, TOPICS

FOLDER = Path(sys.argv[1])


def as_parts(cell):
    return cell if isinstance(cell, dict) else {"s" if isinstance(cell, str) else "n": cell}


def value_of(cell):
    """What openpyxl is handed."""
    if "x" in cell:
        return "=" + cell["x"]
    if "r" in cell:
        return "".join(text for text, _ in cell["r"])
    for key in ("n", "d", "s", "e"):
        if key in cell:
            return cell[key]
    return None


def openpyxl_cell(ws, cell, parts):
    cell.value = value_of(parts)
    if isinstance(parts.get("s"), str):
        cell.data_type = "s"
    if "f" in parts:
        cell.number_format = parts["f"]
    if "l" in parts:
        cell.hyperlink = parts["l"]
        cell.value = parts["s"]
    if "c" in parts:
        cell.comment = Comment(parts["c"], "A")


def write_openpyxl(name, topic):
    wb = openpyxl.Workbook()
    if topic.get("date1904"):
        wb.epoch = CALENDAR_MAC_1904
    wb.remove(wb.active)
    for at, sheet in enumerate(topic["sheets"]):
        ws = wb.create_sheet(sheet["name"])
        ws.sheet_state = sheet.get("state", "visible")
        if sheet.get("active"):
            wb.active = at
        for r, row in enumerate(sheet["rows"], 1):
            for c, cell in enumerate(row, 1):
                if cell is not None:
                    openpyxl_cell(ws, ws.cell(r, c), as_parts(cell))
        for area in sheet.get("merged", ()):
            ws.merge_cells(area)
        for row in sheet.get("hiddenRows", ()):
            ws.row_dimensions[row].hidden = True
        for row in sheet.get("flatRows", ()):
            ws.row_dimensions[row].height = 0
        for letter in sheet.get("hiddenColumns", ()):
            ws.column_dimensions[letter].hidden = True
        if "filter" in sheet:
            ws.auto_filter.ref = sheet["filter"]
        if "table" in sheet:
            ws.add_table(Table(displayName="List", ref=sheet["table"]))
    wb.save(FOLDER / "openpyxl" / f"{name}.xlsx")


def xlsxwriter_cell(wb, ws, place, parts):
    style = wb.add_format({"num_format": parts["f"]}) if "f" in parts else None
    if "x" in parts:
        ws.write_formula(*place, "=" + parts["x"], style, parts.get("v", 0))
    elif "l" in parts:
        ws.write_url(*place, parts["l"], style, parts["s"])
    elif "r" in parts:
        bold = wb.add_format({"bold": True})
        runs = [piece for text, is_bold in parts["r"] for piece in ([bold, text] if is_bold else [text])]
        ws.write_rich_string(*place, *runs)
    elif "e" in parts:
        ws.write_formula(*place, "=NA()" if parts["e"] == "#N/A" else "=1/0", style, parts["e"])
    elif "d" in parts:
        ws.write_datetime(*place, parts["d"], style)
    elif isinstance(parts.get("n"), bool):
        ws.write_boolean(*place, parts["n"], style)
    elif "n" in parts:
        ws.write_number(*place, parts["n"], style)
    else:
        ws.write_string(*place, parts["s"], style)
    if "c" in parts:
        ws.write_comment(*place, parts["c"])


def write_xlsxwriter(name, topic):
    wb = xlsxwriter.Workbook(str(FOLDER / "xlsxwriter" / f"{name}.xlsx"), {"date_1904": bool(topic.get("date1904"))})
    for sheet in topic["sheets"]:
        ws = wb.add_worksheet(sheet["name"])
        if sheet.get("state") == "hidden":
            ws.hide()
        if sheet.get("active"):
            ws.activate()
            ws.set_first_sheet()
        for r, row in enumerate(sheet["rows"]):
            for c, cell in enumerate(row):
                if cell is not None:
                    xlsxwriter_cell(wb, ws, (r, c), as_parts(cell))
        for area in sheet.get("merged", ()):
            first = re.match(r"([A-Z])(\d+)", area)
            kept = sheet["rows"][int(first[2]) - 1][ord(first[1]) - 65]
            ws.merge_range(area, kept)
        for row in sheet.get("hiddenRows", ()):
            ws.set_row(row - 1, None, None, {"hidden": True})
        for row in sheet.get("flatRows", ()):
            ws.set_row(row - 1, 0)
        for letter in sheet.get("hiddenColumns", ()):
            ws.set_column(f"{letter}:{letter}", None, None, {"hidden": True})
        if "filter" in sheet:
            ws.autofilter(sheet["filter"])
        if "table" in sheet:
            heads = [{"header": head} for head in sheet["rows"][0]]
            ws.add_table(sheet["table"], {"columns": heads, "data": sheet["rows"][1:]})
    wb.close()


def write_odd_xlsxwriter():
    """What only this program has: unused rows hidden, zeros hidden, totals of a table, constant memory."""
    wb = xlsxwriter.Workbook(str(FOLDER / "xlsxwriter" / "unused-rows-hidden.xlsx"))
    ws = wb.add_worksheet("Data")
    ws.set_default_row(hide_unused_rows=True)
    for r, row in enumerate([["id", "name"], ["r1", "a"], None, ["r2", "b"], ["r3", "c"]]):
        if row:
            ws.write_row(r, 0, row)
    ws.set_row(4, None, None, {"hidden": True})
    wb.close()
    wb = xlsxwriter.Workbook(str(FOLDER / "xlsxwriter" / "zeros-hidden.xlsx"))
    ws = wb.add_worksheet("Data")
    ws.hide_zero()
    for r, row in enumerate([["id", "count", "name"], ["r1", 3, "a"], ["r2", 0, "b"]]):
        ws.write_row(r, 0, row)
    wb.close()
    wb = xlsxwriter.Workbook(str(FOLDER / "xlsxwriter" / "table-totals.xlsx"))
    ws = wb.add_worksheet("Data")
    data = [["r1", "a", 1], ["r2", "b", 2]]
    heads = [{"header": "id", "total_string": "Total"}, {"header": "name", "total_function": "count"},
             {"header": "price", "total_function": "sum"}]
    ws.add_table("A1:C4", {"columns": heads, "data": data, "total_row": True})
    wb.close()
    wb = xlsxwriter.Workbook(str(FOLDER / "xlsxwriter" / "constant-memory.xlsx"), {"constant_memory": True})
    ws = wb.add_worksheet("Data")
    for r, row in enumerate([["id", "ort", "n"], ["r1", "Zürich & <b>", 1.5], ["r2", " two\nlines ", 2]]):
        ws.write_row(r, 0, row)
    wb.close()
    wb = xlsxwriter.Workbook(str(FOLDER / "xlsxwriter" / "rules-show-words.xlsx"))
    ws = wb.add_worksheet("Data")
    word = wb.add_format({"num_format": '"sold out"'})
    for r, row in enumerate([["id", "stock"], ["r1", 3], ["r2", 0]]):
        ws.write_row(r, 0, row)
    ws.conditional_format("B2:B3", {"type": "cell", "criteria": "=", "value": 0, "format": word})
    wb.close()


def write_pandas():
    frame = pandas.DataFrame({
        "site": ["Zürich", "Genf", None, "東京"], "n": [1, None, 3, 4], "share": [0.1 + 0.2, 1e-7, 12345.678, 1e16],
        "gtin": [4006381333931, 9506000134352, None, 12345670], "text": ["00950", "a, b", 'say "hi"', "two\nlines"],
        "day": pandas.to_datetime(["2026-11-20", None, "2026-01-31", "2024-02-29"]),
        "at": pandas.to_datetime(["2026-11-20 18:30", "2026-11-20", None, "2026-01-01 00:00:01"]),
        "ok": [True, False, None, True], "took": pandas.to_timedelta(["1 day 12:00:00", "00:05:00", None, "1s"]),
    })
    folder = FOLDER / "pandas"
    frame.to_csv(folder / "index.csv")
    frame.to_csv(folder / "semicolon.csv", sep=";", decimal=",", index=False)
    frame.to_csv(folder / "tabs.tsv", sep="\t", index=False)
    frame.to_csv(folder / "bom.csv", index=False, encoding="utf-8-sig", quoting=csv.QUOTE_NONNUMERIC)
    frame.to_csv(folder / "utf16.csv", index=False, encoding="utf-16", lineterminator="\r\n")
    frame.iloc[:3].to_csv(folder / "latin1.csv", index=False, encoding="cp1252", date_format="%d.%m.%Y")
    frame.to_csv(folder / "na.csv", index=False, na_rep="NaN", float_format="%.3f")
    for engine in ("openpyxl", "xlsxwriter"):
        frame.to_excel(folder / f"{engine}.xlsx", engine=engine)
        with pandas.ExcelWriter(folder / f"{engine}-formats.xlsx", engine=engine, date_format="DD.MM.YYYY",
                                datetime_format="DD.MM.YYYY HH:MM") as out:
            frame.assign(pure=[datetime.date(2026, 11, 20)] * 4).to_excel(out, sheet_name="Blatt 1", index=False,
                                                                         startrow=2, startcol=1, float_format="%.2f")
    pivot = pandas.DataFrame({("Q1", "a"): [1, 2], ("Q1", "b"): [3, 4], ("Q2", "a"): [5, 6]}, index=["x", "y"])
    pivot.to_excel(folder / "pivot.xlsx")
    return frame


if __name__ == "__main__":
    for folder in ("openpyxl", "xlsxwriter", "pandas"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    for topic_name, content in TOPICS.items():
        write_openpyxl(topic_name, content)
        write_xlsxwriter(topic_name, content)
    write_odd_xlsxwriter()
    write_pandas()
