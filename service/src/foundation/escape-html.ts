const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Escapes text and wraps it in `<bdi>`, for text that other people or programs choose: right-to-left characters in it
 * could otherwise reorder the text around it.
 */
export function isolate(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}
