const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
]);

/**
 * Returns the http and https URLs of a mail: first the targets of anchors in its HTML, then the URLs in its text. They
 * are normalized by `URL`, without duplicates. Takes linear time.
 */
export function urlsInMail(mail: {
  readonly html: string | null;
  readonly text: string | null;
}): string[] {
  const candidates = [...anchorTargets(mail.html ?? ""), ...urlsInText(mail.text ?? "")];
  return [...new Set(candidates.flatMap(toHttpUrl))];
}

// Only anchors, because the href of a style sheet or font is not a link for the reader. "<" ends a tag too: otherwise
// many unclosed tags would take quadratic time.
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

// Punctuation after a URL belongs to the sentence. A closing parenthesis belongs to the URL if one is opened in it.
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
