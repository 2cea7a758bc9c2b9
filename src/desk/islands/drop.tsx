/** A file may be dropped where one is chosen; the field stays for who has no mouse. */
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
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    const one = new DataTransfer();
    one.items.add(file);
    field.files = one.files;
    field.form?.requestSubmit();
  });
}
