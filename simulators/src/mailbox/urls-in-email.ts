const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
]);

/**
 * Returns the distinct http and https URLs in an email: first the anchor targets in its HTML, then the URLs in its
 * text. Each URL is normalized with `URL`. The search takes linear time.
 */
export function urlsInEmail(mail: { readonly html: string | null; readonly text: string | null }): string[] {
  const candidates = [...anchorTargets(mail.html ?? ""), ...urlsInText(mail.text ?? "")];
  return [...new Set(candidates.flatMap(toHttpUrl))];
}

// Only anchors are searched: the href of a style sheet or font is not a link that the recipient can open. A tag that
// contains "<" is ignored, because searching many unclosed tags would otherwise take quadratic time.
function* anchorTargets(html: string): Generator<string> {
  for (const [, attributes = ""] of html.matchAll(/<a\s([^<>]*)>/gi)) {
    const href = /(?<![\w-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(attributes);
    yield decodeEntities(href?.[1] ?? href?.[2] ?? href?.[3] ?? "");
  }
}

function* urlsInText(text: string): Generator<string> {
  for (const [address] of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    yield withoutTrailingPunctuation(address);
  }
}

// Punctuation after a URL belongs to the surrounding text. A closing parenthesis belongs to the URL if the URL contains
// an opening parenthesis.
function withoutTrailingPunctuation(address: string): string {
  const punctuation = address.includes("(") ? ".,;:!?'*_]}" : ".,;:!?'*_]})";
  let end = address.length;
  while (end > 0 && punctuation.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function toHttpUrl(candidate: string): string[] {
  const url = URL.parse(candidate.trim());
  return url?.protocol === "http:" || url?.protocol === "https:" ? [url.href] : [];
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|quot|apos|lt|gt));/gi,
    (entity, hexadecimal, decimal, name) => {
      if (typeof name === "string") return ENTITIES.get(name.toLowerCase()) ?? entity;
      const codePoint = Number.parseInt(hexadecimal ?? decimal, hexadecimal ? 16 : 10);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : entity;
    },
  );
}
