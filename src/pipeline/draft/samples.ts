/** Samples to try a kind with: what stands in for a spreadsheet that isn't there yet. */
import type { Shape } from "./look.ts";
import type { Column } from "./roles.ts";

export interface Sample {
  /** Name ending -> text; the first is the source. */
  readonly files: (name: string) => readonly (readonly [file: string, text: string])[];
  readonly look: Shape;
}

/** What stands in for a spreadsheet that isn't there: its first column is its key. */
const lookLike = (columns: readonly Column[]): Shape => ({
  columns,
  count: 1,
  sheetName: undefined,
  otherSheets: [],
  headerRow: undefined,
  misses: ([header]) => columns.findIndex(({ column }) => column === header),
});

export const NOTHING_READ = lookLike([]);

const toCsv = (header: string, lines: readonly string[]): string =>
  `${[header, ...lines].join("\n")}\n`;

/** A spreadsheet whose first column is its key; `types` of the columns that hold no text. */
const spreadsheet = (
  header: string,
  types: Readonly<Record<string, Column["type"]>>,
  lines: readonly string[],
): Sample => ({
  files: (name) => [[`${name}.csv`, toCsv(header, lines)]],
  look: lookLike(
    header
      .split(",")
      .map((column, misses) => ({ column, type: types[column] ?? "text", filled: 1, misses })),
  ),
});

const ROOMS = ["North hall", "Cold store", "Büro", "Café"] as const;
const SHELVES_PER_ROOM = 3;

const SHELF_HEADER = "shelf,room,url";

const shelves = ROOMS.flatMap((room, at) =>
  Array.from({ length: SHELVES_PER_ROOM }, (_, n) => {
    const shelf = `${String.fromCharCode(65 + at)}-${String(n + 1).padStart(2, "0")}`;
    return `${shelf},${room},https://shop.example/shelf/${shelf.toLowerCase()}`;
  }),
);

/** A page of A6 with one line of text, in the fewest objects that a reader takes. */
function makePdf(text: string): string {
  const stream = `BT /F1 24 Tf 30 300 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const places = objects.map((object, at) => {
    const place = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}

export const samples = {
  shelves: spreadsheet(SHELF_HEADER, { url: "url" }, shelves),
  wifi: spreadsheet("room,ssid,password", {}, [
    "North hall,Nordwerk guests,welcome-2026",
    "Cold store,Nordwerk logistics,pallets;42",
    "Café,Nordwerk café,coffee:and:cake",
  ]),
  contacts: spreadsheet("number,first name,last name,company,email,phone", { email: "email" }, [
    "1,Ana,Pérez,Nordwerk,ana@example.com,+49 40 100001",
    "2,Jürgen,Weiß,Nordwerk,juergen@example.com,+49 40 100002",
    "3,Zoë,Brontë,Nordwerk,zoe@example.com,+49 40 100003",
  ]),
  products: spreadsheet("gtin,brand,title,lot,page", { gtin: "gtin", page: "url" }, [
    "09506000134352,Nordwerk,Oat drink,L1,https://shop.example/oat-drink",
    "09506000134369,Nordwerk,Dark chocolate,L2,https://shop.example/chocolate",
    "09506000134376,Nordwerk,Espresso beans,L3,https://shop.example/espresso",
  ]),
  pages: spreadsheet("stand,title,about,web,video", { web: "url", video: "url" }, [
    "A1,Nordwerk,Tools since 1901,https://shop.example/nordwerk,https://shop.example/video/1",
    "A2,Alpenhof,Cheese and more,https://shop.example/alpenhof,",
    "B1,Café Łódź,Coffee,https://shop.example/cafe,https://shop.example/video/3",
  ]),
  retarget: spreadsheet("code,new_url", { new_url: "url" }, [
    "A-01,https://shop.example/new/a-01",
    "A-02,https://shop.example/new/a-02",
  ]),
  pdfs: {
    files: (name) => [
      [`${name}/drill.pdf`, makePdf("Drill: manual")],
      [`${name}/saw.pdf`, makePdf("Saw: manual")],
    ],
    look: NOTHING_READ,
  },
  /** A form needs no rows: it stands in the manifest. */
  forms: { files: () => [], look: NOTHING_READ },
} as const satisfies Record<string, Sample>;

/** The sample spreadsheet of codes: shelves with their addresses. */
export const makeSample = (): string => toCsv(SHELF_HEADER, shelves);
