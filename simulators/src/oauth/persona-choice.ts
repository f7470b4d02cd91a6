import { type Html, html } from "../kit/html.ts";

/** Renders a radio button for the form field `persona`. The button with index 0 is selected. */
export function personaChoice(
  { id, name, note }: { readonly id: string; readonly name: string; readonly note: string },
  index: number,
): Html {
  return html`<label><input type="radio" name="persona" value="${id}" required${
    index === 0 ? html` checked` : []
  }> ${name} <span class="quiet">${note}</span></label>`;
}
