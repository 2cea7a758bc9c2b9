/** Which columns of the spreadsheet the job ignores, while they are chosen. */
interface Unused {
  readonly headers: readonly string[];
  /** `{names}` stands for them. */
  readonly some: string;
  readonly none: string;
}

/** The form's choices for the ticked thing. */
function readUsed(form: HTMLFormElement): ReadonlySet<string> {
  const pairs = [...new FormData(form)].flatMap(([name, one]) =>
    typeof one === "string" ? [{ name, one }] : [],
  );
  const thing = pairs.find(({ name }) => name === "thing")?.one ?? "";
  const tells = thing === "retarget" ? [] : ["key", "caption"];
  const used = pairs.filter(({ name }) => name.startsWith(`${thing}.`) || tells.includes(name));
  return new Set(used.map(({ one }) => one));
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
