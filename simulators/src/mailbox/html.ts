/** Markup that is safe to send: made by the template tag below, never from a text. */
export interface Html {
  readonly markup: string;
}

type Value = string | Html | readonly Html[];

/** A template whose values are escaped, for element content and for quoted attributes; markup goes in as it is. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = literals.reduce(
    (sofar, literal, index) => sofar + markupOf(values[index - 1] ?? "") + literal,
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
