// tealeg/xlsx and encoding/csv write the topics: lines.py tealeg TOPIC... | go run write.go FOLDER
package main

import (
	"bufio"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tealeg/xlsx"
)

func plain(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(text)
}

func fill(cell *xlsx.Cell, p []string) {
	number, _ := strconv.ParseFloat(p[4], 64)
	switch p[3] {
	case "n", "d":
		if p[5] == "" {
			cell.SetFloat(number)
		} else {
			cell.SetFloatWithFormat(number, p[5])
		}
	case "b":
		cell.SetBool(p[4] == "true")
	case "x":
		cell.SetFormula(p[4])
	case "e":
		cell.SetFormula("NA()")
		cell.Value = p[4]
	default:
		cell.SetString(plain(p[4]))
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	var book *xlsx.File
	var sheet *xlsx.Sheet
	var file string
	var rows [][]string
	for lines.Scan() {
		p := strings.Split(lines.Text(), "\t")
		switch p[0] {
		case "book":
			file = filepath.Join(os.Args[1], p[1])
			os.MkdirAll(filepath.Dir(file), 0o755)
			book = xlsx.NewFile()
			rows = nil
		case "1904":
			book.Date1904 = true
		case "sheet":
			sheet, _ = book.AddSheet(p[1])
			sheet.Hidden = p[2] == "hidden"
		case "cell":
			r, _ := strconv.Atoi(p[1])
			c, _ := strconv.Atoi(p[2])
			fill(sheet.Cell(r, c), p)
			for len(rows) <= r {
				rows = append(rows, nil)
			}
			rows[r] = append(rows[r], plain(p[4]))
		case "hideRow":
			r, _ := strconv.Atoi(p[1])
			sheet.Rows[r-1].Hidden = true
		case "end":
			if err := book.Save(file); err != nil {
				panic(err)
			}
			if strings.HasSuffix(file, "texts.xlsx") {
				out, _ := os.Create(strings.TrimSuffix(file, ".xlsx") + ".csv")
				writer := csv.NewWriter(out)
				writer.UseCRLF = true
				writer.WriteAll(rows)
				out.Close()
			}
		}
	}
}
