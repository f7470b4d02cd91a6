const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["lt", "<"],
  ["gt", ">"],
]);

/**
 * The http and https addresses that a mail offers: first the targets of its HTML's anchors, then the addresses written
 * out in its text, each once, in that order and in the normal form of `URL`. Takes time linear in the mail's length.
 */
export function urlsInMail(mail: {
  readonly html: string | null;
  readonly text: string | null;
}): string[] {
  const candidates = [...anchorTargets(mail.html ?? ""), ...writtenOut(mail.text ?? "")];
  return [...new Set(candidates.flatMap(httpAddress))];
}

// Only anchors: a style sheet's or a font's href is no link that a person could follow. A tag ends at the next "<" as
// well, without which a mail of many unclosed tags would be read from each of them to its end.
function* anchorTargets(html: string): Generator<string> {
  for (const [, attributes = ""] of html.matchAll(/<a\s([^<>]*)>/gi)) {
    const href = /(?<![\w-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i.exec(attributes);
    yield decodeEntities(href?.[1] ?? href?.[2] ?? href?.[3] ?? "");
  }
}

function* writtenOut(text: string): Generator<string> {
  for (const [address] of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    yield withoutTrailingPunctuation(address);
  }
}

// A sentence may end after an address; a bracket belongs to the address only where it was opened in it.
function withoutTrailingPunctuation(address: string): string {
  const punctuation = address.includes("(") ? ".,;:!?'*_]}" : ".,;:!?'*_]})";
  let end = address.length;
  while (end > 0 && punctuation.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

function httpAddress(candidate: string): string[] {
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
