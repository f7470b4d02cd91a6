import { Code } from "@mantine/core";

const BACKGROUNDS = { "+": "light-dark(#d3f9d8, #10391c)", "-": "light-dark(#ffe3e3, #4a1414)" };

/** The lines between the first and the last that differ: those of the text before, then those after. */
export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const start = old.findIndex((line, index) => line !== now[index]);
  const fromEnd = old.findLastIndex((line, index) => index < start || line !== now[now.length - old.length + index]);
  const end = Math.max(fromEnd + 1, start, start + old.length - now.length) - old.length;
  const lines = (mark: "-" | "+", text: readonly string[]) =>
    text.slice(start, text.length + end).map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity.
      <span key={mark + index} style={{ display: "block", background: BACKGROUNDS[mark] }}>
        {mark} {line}
      </span>
    ));
  return (
    <Code block tabIndex={0} role="region" aria-label="Changed lines" c="var(--mantine-color-text)">
      {lines("-", old)}
      {lines("+", now)}
    </Code>
  );
}
