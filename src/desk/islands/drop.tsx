/** Files may be dropped on a file field; the field stays for people without a mouse. */
const place = document.querySelector<HTMLElement>("[data-drop]");
const field = place?.querySelector<HTMLInputElement>("input[type=file]");

if (place != null && field != null) {
  const said = document.createElement("p");
  said.className = "soft";
  said.textContent = place.dataset["drop"] ?? "";
  place.prepend(said);
  const hold = (event: DragEvent): void => {
    event.preventDefault();
    place.classList.toggle("over", event.type === "dragover");
  };
  place.addEventListener("dragover", hold);
  place.addEventListener("dragleave", hold);
  place.addEventListener("drop", (event) => {
    hold(event);
    const files = [...(event.dataTransfer?.files ?? [])].slice(0, field.multiple ? undefined : 1);
    if (files.length === 0) return;
    const taken = new DataTransfer();
    for (const file of files) taken.items.add(file);
    field.files = taken.files;
    field.form?.requestSubmit();
  });
}
