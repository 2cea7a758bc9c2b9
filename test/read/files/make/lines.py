"""The topics as lines of tabs, for Java and Go: lines.py PROGRAM TOPIC[:FILE]..."""
import sys

from topics import D, TOPICS, plain


def parts(cell):
    if isinstance(cell, bool):
        return "b", str(cell).lower(), "", ""
    if isinstance(cell, (int, float)):
        return "n", repr(cell), "", ""
    if isinstance(cell, str):
        return "s", cell, "", ""
    form = cell.get("f", "")
    if "d" in cell:
        return "d", repr(cell["serial"]), form, ""
    if "x" in cell:
        return "x", cell["x"], form, ""
    if "r" in cell:
        return "r", "".join(text for text, _ in cell["r"]), form, ""
    if "l" in cell:
        return "l", cell["s"], form, cell["l"]
    if "e" in cell:
        return "e", cell["e"], form, ""
    return (*parts(cell.get("n", cell.get("s")))[:2], form, "")


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def show(program, topic, name, kind):
    print("book", f"{program}/{name}", kind, sep="\t")
    source = plain(TOPICS[topic])
    offset = 1462 if source.get("date1904") and kind == "xlsx" else 0
    if offset:
        print("1904")
    for sheet in source["sheets"]:
        print("sheet", sheet["name"], "active" if sheet.get("active") else sheet.get("state", ""), sep="\t")
        for r, row in enumerate(sheet["rows"]):
            for c, cell in enumerate(row):
                if cell is None:
                    continue
                what, value, form, more = parts(cell)
                if what == "d" and offset:
                    value = repr(float(value) - offset)
                print("cell", r, c, what, escape(value), form, more, sep="\t")
        for key, word in (("merged", "merge"), ("hiddenRows", "hideRow"), ("flatRows", "flatRow"),
                          ("hiddenColumns", "hideColumn")):
            for one in sheet.get(key, ()):
                print(word, one, sep="\t")
        if "filter" in sheet:
            print("filter", sheet["filter"], sep="\t")
    if topic == "results" and kind == "xlsx" and "uncached" not in name:
        print("evaluate")
    print("end")


if __name__ == "__main__":
    for one in sys.argv[2:]:
        topic, _, name = one.partition(":")
        name = name or f"{topic}.xlsx"
        kind = "xls" if name.endswith(".xls") else "stream" if "stream" in name else "xlsx"
        show(sys.argv[1], topic, name, kind)
