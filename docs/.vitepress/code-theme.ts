import type { MarkdownOptions } from "vitepress";

type Theme = Extract<NonNullable<MarkdownOptions["theme"]>, { readonly settings?: unknown }>;
type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

/**
 * The kinds of code. Shiki writes the colour of each into the page as an inline style, which the Content-Security-Policy
 * forbids. `replaceCodeStyles` makes a class of it, which the theme's style sheet colours.
 */
const KINDS: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  ["comment", ["comment"]],
  ["string", ["string"]],
  ["constant", ["constant", "support.type.property-name", "variable.other.constant"]],
  ["keyword", ["keyword", "storage"]],
  ["function", ["entity.name.function", "support.function", "meta.function-call.generic"]],
];
const colorOf = (kind: number) => `#00000${kind + 1}`;

export const codeTheme: Theme = {
  name: "purser",
  type: "light",
  fg: "#000000",
  bg: "#ffffff",
  settings: KINDS.map(([, scope], kind) => ({ scope: [...scope], settings: { foreground: colorOf(kind) } })),
};

export const replaceCodeStyles: Transformer = {
  name: "purser:classes",
  span: ({ properties }) => {
    const kind = KINDS.findIndex((_, at) => properties["style"] === `color:${colorOf(at)}`);
    if ("style" in properties) delete properties["style"];
    if (kind >= 0) properties["class"] = `code-${KINDS[kind]?.[0]}`;
  },
};
