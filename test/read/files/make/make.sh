#!/bin/sh
# Writes all files anew: make.sh FOLDER. The folder's parent needs the packages of write.mjs (README).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
python=${PYTHON:-python3}
mkdir -p "$folder"
$python "$here/topics.py" > "$folder/topics.json"
$python "$here/write.py" "$folder"
cp "$here/write.mjs" "$folder/../write.mjs" && node "$folder/../write.mjs" "$folder" < "$folder/topics.json"
perl "$here/write.pl" "$folder" < "$folder/topics.json"
$python "$here/lines.py" tealeg numbers formats dates masks texts codes results filtered > "$folder/lines.txt"
GO111MODULE=off GOPATH=/usr/share/gocode go run "$here/write.go" "$folder" < "$folder/lines.txt"
Rscript "$here/write.R" "$folder" > /dev/null
PYTHON=$python sh "$here/write.sh" "$folder"
$python "$here/office.py" save "$folder"
$python "$here/office.py" type "$folder"
mkdir -p "$folder/gnumeric"
for book in numbers formats dates dates1904 times masks texts codes results links layout sheets filtered truths; do
  ssconvert -T Gnumeric_Excel:xlsx2 "$folder/xlsxwriter/$book.xlsx" "$folder/gnumeric/$book.xlsx" 2> /dev/null
done
ssconvert -T Gnumeric_Excel:xlsx "$folder/xlsxwriter/money.xlsx" "$folder/gnumeric/first-edition.xlsx" 2> /dev/null
text() { ssconvert -T Gnumeric_stf:stf_assistant -O "$3" "$folder/xlsxwriter/$1" "$folder/gnumeric/$2" 2> /dev/null; }
text texts.xlsx texts.csv "separator=, format=preserve"
text formats.xlsx semicolon.csv "separator=; format=preserve quoting-mode=always eol=windows"
text dates.xlsx dates.csv "separator=, format=automatic"
text codes.xlsx raw.csv "separator=, format=raw"
for ending in xls ods gnumeric html; do
  ssconvert "$folder/xlsxwriter/codes.xlsx" "$folder/gnumeric/codes.$ending" 2> /dev/null
done
$python "$here/office.py" show "$folder"
$python "$here/topics.py" typed > "$folder/typed.jsonl"
rm -f "$folder"/*.txt "$folder/topics.json" "$folder/texts.json"
