#!/bin/sh
# Databases and tools of the shell write the texts: write.sh FOLDER
set -eu
folder=$1
here=$(dirname "$0")
for one in sqlite postgresql mariadb php ruby python miller csvkit visidata jq; do mkdir -p "$folder/$one"; done
"${PYTHON:-python3}" "$here/texts.py" > "$folder/texts.json"

# The same rows for all: id, text, end.
jq -r '.[] | @csv' "$folder/texts.json" > "$folder/jq/texts.csv"
jq -r '.[] | @tsv' "$folder/texts.json" > "$folder/jq/texts.tsv"

sqlite3 :memory: <<SQL
create table texts (id text, text text, "end" text);
.mode csv
.import --skip 1 "$folder/jq/texts.csv" texts
.headers on
.once "$folder/sqlite/texts.csv"
select * from texts;
.mode tabs
.once "$folder/sqlite/tabs.tsv"
select * from texts where id in ('r1', 'r2', 'r14', 'r17', 'r25');
.mode list
.separator "|"
.once "$folder/sqlite/list.txt"
select * from texts where id in ('r1', 'r2', 'r14', 'r17', 'r25');
.mode quote
.once "$folder/sqlite/quote.csv"
select * from texts limit 8;
SQL

php -r '
$rows = json_decode(file_get_contents($argv[1]));
$out = fopen("$argv[2]/php/fputcsv.csv", "w");
foreach ($rows as $row) fputcsv($out, $row);
$out = fopen("$argv[2]/php/semicolon-bom.csv", "w");
fwrite($out, "\u{feff}");
foreach ($rows as $row) fputcsv($out, $row, ";", "\"", "");
$out = fopen("$argv[2]/php/backslash.csv", "w");
fputcsv($out, ["id", "text", "end"]);
fputcsv($out, ["r1", "C:\\\"quoted\" path", "x"]);
fputcsv($out, ["r2", "plain", "x"]);
' "$folder/texts.json" "$folder"

ruby -rcsv -rjson -e '
rows = JSON.parse(File.read(ARGV[0]))
File.write("#{ARGV[1]}/ruby/texts.csv", rows.map(&:to_csv).join)
File.write("#{ARGV[1]}/ruby/forced.csv", rows.map { |row| CSV.generate_line(row, col_sep: ";", force_quotes: true, row_sep: "\r\n") }.join)
File.write("#{ARGV[1]}/ruby/utf16le.csv", "\uFEFF" + rows.map { |row| row.to_csv(col_sep: "\t") }.join, encoding: "UTF-16LE")
' "$folder/texts.json" "$folder"

"${PYTHON:-python3}" - "$folder" <<'PY'
import csv, json, sys
folder = sys.argv[1]
rows = json.load(open(f"{folder}/texts.json", encoding="utf-8"))
def write(name, encoding="utf-8", chosen=rows, **ways):
    with open(f"{folder}/python/{name}", "w", newline="", encoding=encoding) as out:
        if ways.pop("sep", False):
            out.write("sep=;\r\n")
        csv.writer(out, **ways).writerows(chosen)
write("excel.csv", "utf-8-sig")
write("excel-tab.tsv", dialect="excel-tab")
write("unix.csv", dialect="unix")
write("utf16be.csv", "utf-16-be")
write("cp1252.csv", "cp1252", [row for row in rows if row[1].encode("cp1252", "ignore").decode("cp1252") == row[1]], delimiter=";")
write("mac-roman.csv", "mac_roman", [rows[0], rows[14], rows[15], rows[1]], delimiter=";")
write("sep-line.csv", delimiter=";", sep=True)
write("pipe.csv", delimiter="|", quoting=csv.QUOTE_NONNUMERIC)
write("escaped.csv", quoting=csv.QUOTE_NONE, escapechar="\\", chosen=[row for row in rows if "\n" not in row[1]])
write("backslash-quotes.csv", doublequote=False, escapechar="\\")
write("single-quotes.csv", quotechar="'")
PY

mlr --icsv --ocsv cat "$folder/jq/texts.csv" > "$folder/miller/texts.csv"
mlr --icsv --otsv cat "$folder/jq/texts.csv" > "$folder/miller/texts.tsv"
mlr --icsv --ocsv --quote-all --ofs semicolon cat "$folder/jq/texts.csv" > "$folder/miller/quoted.csv"
csvformat -D ';' -U 1 "$folder/jq/texts.csv" > "$folder/csvkit/semicolon.csv"
csvformat -T "$folder/jq/texts.csv" > "$folder/csvkit/tabs.tsv"
csvsort -c id "$folder/jq/texts.csv" > "$folder/csvkit/guessed-types.csv" 2> /dev/null
vd -b -o "$folder/visidata/texts.csv" "$folder/jq/texts.csv" > /dev/null 2>&1
vd -b -o "$folder/visidata/texts.tsv" "$folder/jq/texts.csv" > /dev/null 2>&1

# PostgreSQL and MariaDB without a server: one process, one folder, nobody listens.
store=$(mktemp -d)
chmod 777 "$store" && cp "$folder/jq/texts.csv" "$store/in.csv" && chmod 644 "$store/in.csv"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
chown postgres "$store"
su postgres -c "$bin/initdb -D $store/pg -E UTF8 --locale=C.UTF-8" > /dev/null
printf '%s\n' "create table texts (id text, text text, \"end\" text)" \
  "copy texts from '$store/in.csv' with (format csv, header)" \
  "insert into texts values ('r99', null, 'x')" \
  "copy texts to '$store/copy.csv' with (format csv, header)" \
  "copy texts to '$store/copy-forced.csv' with (format csv, header, delimiter ';', force_quote *)" \
  "copy texts to '$store/copy-text.tsv' with (format text)" |
  su postgres -c "$bin/postgres --single -D $store/pg postgres" > /dev/null
cp "$store"/copy*.csv "$store"/copy*.tsv "$folder/postgresql/"
mkdir "$store/my" "$store/files" && chmod 777 "$store/files"
mariadb-install-db --no-defaults --user=root --datadir="$store/my" > /dev/null 2>&1 || true
cat > "$store/run.sql" <<SQL
create database d;
use d;
create table texts (id varchar(9), text varchar(400), end varchar(9)) character set utf8mb4;
load data infile '$store/in.csv' into table texts character set utf8mb4 fields terminated by ',' optionally enclosed by '"' escaped by '' lines terminated by '\n' ignore 1 lines;
insert into texts values ('r99', null, 'x');
select 'id', 'text', 'end' union all select * from texts into outfile '$store/files/outfile.tsv' character set utf8mb4;
select 'id', 'text', 'end' union all select * from texts into outfile '$store/files/outfile.csv' character set utf8mb4 fields terminated by ',' optionally enclosed by '"' lines terminated by '\r\n';
SQL
mariadbd --no-defaults --user=root --bootstrap --datadir="$store/my" --secure-file-priv= < "$store/run.sql" > "$store/log" 2>&1 || cat "$store/log"
cp "$store"/files/* "$folder/mariadb/"
rm -rf "$store"
