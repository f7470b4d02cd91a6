import { type Html, html } from "../mailbox/html.ts";

/** One of a list, chosen as the form's `persona`; the first is chosen unless another is. */
export function personaChoice(
  { id, name, note }: { readonly id: string; readonly name: string; readonly note: string },
  index: number,
): Html {
  return html`<label><input type="radio" name="persona" value="${id}" required${
    index === 0 ? html` checked` : []
  }> ${name} <span class="quiet">${note}</span></label>`;
}
