# openxlsx and R itself write: Rscript write.R FOLDER
library(openxlsx)
folder <- file.path(commandArgs(TRUE)[1], "r")
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
frame <- data.frame(
  site = c("Zürich", "Genf", NA, "東京"), n = c(1L, NA, 3L, 100000L), share = c(0.1 + 0.2, 1e-7, 12345.678, 1e15),
  gtin = c(4006381333931, 9506000134352, NA, 12345670), text = c("00950", "a, b", 'say "hi"', "two\nlines"),
  day = as.Date(c("2026-11-20", NA, "2026-01-31", "2024-02-29")), ok = c(TRUE, FALSE, NA, TRUE),
  at = as.POSIXct(c("2026-11-20 18:30:00", "2026-11-20 00:00:00", NA, "2026-01-01 00:00:01"), tz = "UTC"),
  class = factor(c("b", "a", "b", "a"))
)
write.csv(frame, file.path(folder, "write-csv.csv"))
write.csv(frame, file.path(folder, "no-names.csv"), row.names = FALSE, na = "")
write.csv2(frame, file.path(folder, "write-csv2.csv"), row.names = FALSE)
write.csv2(frame[1:3, ], file.path(folder, "latin1.csv"), row.names = FALSE, fileEncoding = "latin1")
write.table(frame, file.path(folder, "table.tsv"), sep = "\t", quote = FALSE, row.names = FALSE)
write.table(frame, file.path(folder, "escaped.csv"), sep = ",", qmethod = "escape", row.names = FALSE)
write.xlsx(frame, file.path(folder, "write-xlsx.xlsx"))
write.xlsx(list("Erste" = frame[1:2, ], "Zweite" = frame[3:4, ]), file.path(folder, "two-sheets.xlsx"), asTable = TRUE)
options(openxlsx.dateFormat = "dd.mm.yyyy", openxlsx.datetimeFormat = "dd.mm.yyyy hh:mm")
book <- createWorkbook()
addWorksheet(book, "Daten")
writeData(book, "Daten", "Liste", startRow = 1)
writeData(book, "Daten", frame, startRow = 3, startCol = 2)
addStyle(book, "Daten", createStyle(numFmt = "0.00%"), rows = 4:7, cols = 4)
addStyle(book, "Daten", createStyle(numFmt = "CURRENCY"), rows = 4:7, cols = 3)
mergeCells(book, "Daten", cols = 1:4, rows = 1)
saveWorkbook(book, file.path(folder, "formatted.xlsx"), overwrite = TRUE)
