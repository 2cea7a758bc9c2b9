/** Which columns of the spreadsheet the job ignores, while they are chosen. */
interface Unused {
  readonly headers: readonly string[];
  /** `{names}` stands for them. */
  readonly some: string;
  readonly none: string;
}

/** What the form chooses for the thing that is ticked. */
function readUsed(form: HTMLFormElement): ReadonlySet<string> {
  const data = new FormData(form);
  const thing = String(data.get("thing"));
  const roles = [...data].filter(([name]) => name.startsWith(`${thing}.`)).map(([, one]) => one);
  const ticked = thing === "retarget" ? [] : [...data.getAll("key"), ...data.getAll("caption")];
  return new Set([...roles, ...ticked].map(String));
}

for (const place of document.querySelectorAll<HTMLElement>("[data-unused]")) {
  const { headers, some, none } = JSON.parse(place.dataset["unused"] ?? "{}") as Unused;
  const form = place.closest("form");
  form?.addEventListener("input", () => {
    const used = readUsed(form);
    const names = headers.filter((header) => !used.has(header));
    place.textContent = names.length === 0 ? none : some.replace("{names}", () => names.join(", "));
  });
}
