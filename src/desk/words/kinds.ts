/** What kinds of jobs are called. */
export const kindsInEnglish = {
  codes: "QR codes",
  products: "GS1 products",
  links: "Short links",
  pdfs: "PDFs",
  pages: "Landing pages",
  forms: "Forms",
  redesign: "New look for existing codes",
  retarget: "New destinations for existing codes",
  report: "Report of scans",
  export: "Files and sheets of codes that exist",
};

export const kindsInGerman: typeof kindsInEnglish = {
  codes: "QR-Codes",
  products: "GS1-Produkte",
  links: "Kurzlinks",
  pdfs: "PDFs",
  pages: "Landeseiten",
  forms: "Formulare",
  redesign: "Neues Aussehen für bestehende Codes",
  retarget: "Neue Ziele für bestehende Codes",
  report: "Auswertung der Scans",
  export: "Dateien und Bogen bestehender Codes",
};
