const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^\r\n]*))[ \t]*(?:#.*)?$/gm;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Reads the text of a `.env` file: plain, single-quoted and double-quoted values, comments, and `export`. */
export function parseEnvironment(text: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const [, name = "", single, double, plain = ""] of text.matchAll(ASSIGNMENT)) {
    const unescaped = double?.replace(/\\([\s\S])/g, (_escape, letter: string) => ESCAPES[letter] ?? letter);
    values.set(name, single ?? unescaped ?? plain.replace(/(^|\s)#.*$/, "").trim());
  }
  return Object.fromEntries(values);
}
