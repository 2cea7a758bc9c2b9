/** Puts an island in the place that the page left for it; its props are on the element. */
import { h, render, type ComponentType } from "preact";

export function mount<Props extends object>(name: string, Component: ComponentType<Props>): void {
  for (const place of document.querySelectorAll<HTMLElement>(`[data-island="${name}"]`)) {
    const props = JSON.parse(place.dataset["props"] ?? "{}") as Props;
    place.replaceChildren();
    render(h(Component, props), place);
  }
}
