/** Escaped markup. Only the `html` template tag creates it. */
export interface Html {
  readonly markup: string;
}

type Value = string | Html | readonly Html[];

/**
 * A template tag that escapes strings for use in element content and quoted attributes. `Html` values are inserted
 * unchanged.
 */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = literals.reduce(
    (markupSoFar, literal, index) => markupSoFar + markupOf(values[index - 1] ?? "") + literal,
  );
  return { markup };
}

function markupOf(value: Value): string {
  if (typeof value === "string") return escapeText(value);
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" } as const;

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character as keyof typeof ESCAPES]);
}
