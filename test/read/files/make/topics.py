"""What the workbooks hold: one small book per topic, for every program that can write it.

A cell is None, a text, a number, a bool, a datetime, or a dict:
  n (number) or d (day), with f (format code); s (text) with l (link), r (rich runs) or c (comment);
  x (formula) with v (its result); e (error)
`typed` says which column is of which type, and what its value must be for each row, in order.
"""
import datetime
import json
import sys

D = datetime.datetime


def book(rows, typed=None, **more):
    sheet = {"name": "Data", "rows": rows}
    for key in ("merged", "hiddenRows", "hiddenColumns", "flatRows", "table", "filter"):
        if key in more:
            sheet[key] = more.pop(key)
    return {"sheets": more.pop("sheets", [sheet]), "typed": typed or {}, **more}


def column(type_, values):
    return {"type": type_, "values": values}


NUMBERS = [0, 7, -7, 2.5, -0.125, 0.1 + 0.2, 1 / 3, 1234.5, 1234567.891, 12345678901, 123456789012,
           4006381333931, 123456789012345, 99999999999.5, 0.0001, 0.00001234, 1.5e-9, 1e15, 123e18]

FORMATS = [("0", 7), ("0.00", 2.5), ("0.00", -12.345), ("#,##0", 1234567), ("#,##0.00", 1234.5),
           ("0%", 0.25), ("0.0%", 0.1234), ("0.00E+00", 12345.678), ("##0.0E+0", 12345678),
           ("# ?/?", 1.5), ("# ??/??", 0.3125), ("0.0,", 12500), ("0.00_);(0.00)", -9.5),
           ("#,##0;[Red]-#,##0", -1234), ("+0;-0;0", 5), ("0.###", 2.5), ("#.##", 0.5),
           ("[>=1000]0.0,\"k\";0", 12500), ("0 \"of 10\"", 7), ("???.00", 2.5), ("@", 42),
           ("General", 1.25), ("General\" pcs\"", 3), ("0;-0;;@", 0)]

MONEY = [('#,##0.00 "€"', 1234.5), ('#,##0.00 [$€-407]', 12.9), ("[$€-2] #,##0.00", 12.9),
         ('"$"#,##0.00', 1299.99), ("[$$-409]#,##0.00", -5), ("[$£-809]#,##0", 1234.5),
         ("#,##0.00 [$CHF-807]", 12.35), ("[$¥-411]#,##0", 980), ("[$₹-4009] #,##0.00", 100000),
         ('_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 1234.5),
         ('_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)', 0),
         ('#,##0.00 "€";[Red]-#,##0.00 "€"', -3.456), ("0.0", 2.25), ("0.00", 1.005)]

DAY = D(2026, 11, 20)
MOMENT = D(2026, 11, 20, 18, 30)
DATES = [("yyyy-mm-dd", DAY), ("dd.mm.yyyy", DAY), ("dd/mm/yyyy", D(2026, 3, 4)), ("m/d/yy", D(2026, 3, 4)),
         ("d-mmm-yy", DAY), ("d mmmm yyyy", DAY), ("mmm-yy", DAY), ("dddd", DAY), ("ddd d mmm", DAY),
         ("[$-407]d. mmmm yyyy", D(2026, 3, 4)), ("[$-40C]d mmmm yyyy", D(2026, 12, 1)),
         ('yyyy"年"m"月"d"日"', DAY), ("yyyymmdd", DAY), ("yyyy-mm-dd hh:mm", MOMENT),
         ("dd.mm.yyyy hh:mm:ss", D(2024, 2, 29, 23, 59, 59)), ("m/d/yyyy h:mm AM/PM", MOMENT),
         ("hh:mm", MOMENT), ("yyyy", DAY), ("[$-409]mmmm d, yyyy;@", DAY)]
TIMES = [("hh:mm", 0.75), ("h:mm AM/PM", 0.25), ("hh:mm:ss", 0.999988425925926), ("[h]:mm", 1.5),
         ("[h]:mm:ss", 2.25), ("[mm]:ss", 0.05), ("mm:ss", 0.01), ("mm:ss.0", 0.010005787),
         ("yyyy-mm-dd", 1), ("yyyy-mm-dd", 59), ("yyyy-mm-dd", 61), ("yyyy-mm-dd", 2958465)]

MASKS = [('"SKU-"0000', 42), ("00000", 950), ("000\\-00\\-0000", 123456789), ("00000\\-0000", 123456789),
         ("00000000000000", 9506000134352), ("0\\ 000000\\ 000000", 4006381333931),
         ("[<=9999999]###\\-####;\\(###\\)\\ ###\\-####", 2065551234), ('"yes";;"no"', 1), ('"yes";;"no"', 0),
         ('0" kg"', 12), ('0.0" l"', 1.25), ('"No. "0', 7), ('"Size "0.0', 42.5), ("0000 0000", 12345678),
         ('0"%"', 12), ('"A"00"B"', 5), (";;;", 5)]

TEXTS = ["00950", "007", "1E5", "1,234", "12.50", "50%", "2026-11-20", "=1+1", "+49 30 123", "-5", "@home",
         "TRUE", "#N/A?", "Zürich", "Straße 5", "naïve café", "漢字 東京", "Ελλάδα", "Привет", "שלום עולם",
         "مرحبا", "😀 👩‍👩‍👧", "e\u0301", "two\nlines", 'say "hi"', "a, b; c", "tab\there", "<b>&amp;</b>",
         "back\\slash", "_x0041_", "4006381333931", "106141412345678908", "x" * 260]

GTINS = ["4006381333931", "9506000134352", "5901234123457", "12345670", "036000291452"]


def to_rows(header, pairs):
    return [[*header]] + [[f"r{n}", {"d" if isinstance(value, D) else "n": value, "f": code}, "x"]
                          for n, (code, value) in enumerate(pairs, 1)]


def texts():
    return [["id", "text", "end"]] + [[f"r{n}", text, "x"] for n, text in enumerate(TEXTS, 1)]


def codes():
    header = ["id", "general", "zero", "padded", "text", "lot"]
    rows = [[f"r{n}", int(g), {"n": int(g), "f": "0"}, {"n": int(g), "f": "00000000000000"}, g, f"00{n}"]
            for n, g in enumerate(GTINS, 1)]
    padded = [g.zfill(14) for g in GTINS]
    typed = {name: column("gtin", padded) for name in header[1:5]}
    return book([header, *rows], typed)


def results():
    rows = [["id", "n", "double", "word", "flag", "day", "end"]]
    for n in range(1, 5):
        at = n + 1
        rows.append([f"r{n}", n, {"x": f"B{at}*2", "v": n * 2}, {"x": f'"no. "&B{at}', "v": f"no. {n}"},
                     {"x": f"B{at}>2", "v": n > 2},
                     {"x": f"DATE(2026,11,B{at})", "v": 46326 + n, "f": "yyyy-mm-dd"}, "x"])
    typed = {"double": column("integer", ["2", "4", "6", "8"]),
             "flag": column("boolean", ["false", "false", "true", "true"]),
             "day": column("date", ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"])}
    return book(rows, typed)


def links():
    rows = [["id", "link", "rich", "note"]]
    rows.append(["r1", {"s": "our page", "l": "https://a.example/x?b=1&c=2#part"},
                 {"r": [["Berg", True], ["käse", False]]}, {"s": "see", "c": "a comment"}])
    rows.append(["r2", {"s": "https://b.example/", "l": "https://b.example/"},
                 {"r": [["a ", False], ["b", True], [" c", False]]}, {"s": "none"}])
    rows.append(["r3", "https://c.example/plain", "plain", {"n": 5, "c": "on a number"}])
    typed = {"link": column("url", ["https://a.example/x?b=1&c=2#part", "https://b.example/",
                                    "https://c.example/plain"])}
    return book(rows, typed)


def layout():
    rows = [["Price list", None, None, None], [None], ["id", "area", "name", "end"]]
    rows += [["r1", "North", "a", "x"], ["r2", None, "b", "x"], ["r3", "South", "c", "x"], [None],
             ["r4", "South", "d", "x"], ["r5", "West", "e", "x"], ["r6", "West", "f", "x"]]
    return book(rows, merged=["A1:D1", "B4:B5"], hiddenRows=[8], flatRows=[9], hiddenColumns=["C"])


def sheets():
    head = ["id", "name", "end"]
    return book([], sheets=[
        {"name": "Old", "state": "hidden", "rows": [head, ["h1", "hidden", "x"]]},
        {"name": "Spring & Co", "rows": [head, ["s1", "first", "x"]]},
        {"name": "Übersicht 2", "active": True, "rows": [head, ["u1", "second", "x"]]},
    ])


def table():
    rows = [["id", "name", "price"]] + [[f"r{n}", f"Item {n}", n * 1.25] for n in range(1, 7)]
    typed = {"price": column("number", ["1.25", "2.5", "3.75", "5", "6.25", "7.5"])}
    return book(rows, typed, table="A1:C7", hiddenRows=[4, 5])


def filtered():
    rows = [["id", "name", "price"]] + [[f"r{n}", f"Item {n}", n * 1.25] for n in range(1, 7)]
    return book(rows, filter="A1:C7", hiddenRows=[3])


def wide():
    count = 120
    header = [f"col {n}" for n in range(1, count + 1)]
    return book([header, [f"a{n}" for n in range(1, count + 1)], [None] * (count - 1) + ["last"]])


def truths():
    rows = [["id", "flag", "error", "end"], ["r1", True, "fine", "x"], ["r2", False, {"e": "#N/A"}, "x"],
            ["r3", True, {"e": "#DIV/0!"}, "x"], ["r4", None, "", "x"]]
    return book(rows, {"flag": column("boolean", ["true", "false", "true", ""])})


def iso(value):
    return value.strftime("%Y-%m-%d")


HEAD = ("id", "value", "end")
TOPICS = {
    "numbers": book([[*HEAD]] + [[f"r{n}", v, "x"] for n, v in enumerate(NUMBERS, 1)],
                    {"value": column("number", None)}),
    "formats": book(to_rows(HEAD, FORMATS), {"value": column("number", None)}),
    "money": book(to_rows(HEAD, MONEY), {"value": column("number", None)}),
    "dates": book(to_rows(HEAD, DATES), {"value": column("date", [iso(d) for _, d in DATES])}),
    "dates1904": book(to_rows(HEAD, DATES[:16]), {"value": column("date", [iso(d) for _, d in DATES[:16]])},
                      date1904=True),
    "times": book(to_rows(HEAD, TIMES)),
    "masks": book(to_rows(HEAD, MASKS), {"value": column("number", None)}),
    "texts": book(texts()),
    "codes": codes(),
    "results": results(),
    "links": links(),
    "layout": layout(),
    "sheets": sheets(),
    "table": table(),
    "filtered": filtered(),
    "wide": wide(),
    "truths": truths(),
}


def plain(value):
    """JSON for the writers that are no Python: days get their serial number beside."""
    if isinstance(value, D):
        return {"d": value.isoformat(), "serial": (value - D(1899, 12, 30)).total_seconds() / 86400}
    if isinstance(value, dict) and isinstance(value.get("d"), D):
        return {**value, **plain(value["d"])}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def number_text(value):
    return repr(value)


def typed_of(topic):
    """Values of typed columns; of numbers what was written."""
    source = TOPICS[topic]
    rows = source["sheets"][0]["rows"]
    out = {}
    for name, spec in source["typed"].items():
        at = rows[0].index(name) if name in rows[0] else None
        values = spec["values"]
        if values is None:
            cells = [row[at] for row in rows[1:]]
            values = [number_text(c["n"] if isinstance(c, dict) else c) for c in cells]
        out[name] = {"type": spec["type"], "values": values}
    return out


if __name__ == "__main__" and sys.argv[1:] == ["typed"]:
    for name in TOPICS:
        if typed_of(name):
            print(json.dumps({"topic": name, "columns": typed_of(name)}, ensure_ascii=False))
elif __name__ == "__main__":
    print(json.dumps({name: {**plain(source), "typed": typed_of(name)} for name, source in TOPICS.items()},
                     ensure_ascii=False))
