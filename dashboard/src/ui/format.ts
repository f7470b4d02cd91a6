/** Texts for values of the API. */

/** Returns a decimal string with thousands separators, all its digits, and its currency: `1,234.50 USDC`. */
export function formatAmount(amount: string, currency = ""): string {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [];
  if (whole === "") return `${amount} ${currency}`.trim();
  const cents = fraction === "" || currency === "" ? fraction : fraction.padEnd(3, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${cents} ${currency}`.trim();
}

/** Returns the exact difference of two amounts, which have at most six decimals: `-2.98`. */
export function subtract(from: string, amount: string): string {
  const units = (text: string) => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(6, "0").slice(0, 6));
  };
  const left = units(from) - units(amount);
  const digits = String(left).replace("-", "").padStart(7, "0");
  return `${left < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6).replace(/0{1,4}$/, "")}`;
}

/** Returns a number of things: `1 rule`, `2 rules`. */
export function formatCount(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

/** Returns a name in lower snake case as words: `requires_approval` becomes `Requires approval`. */
export function formatName(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Names of vendors whose spelling does not follow from the API's. */
const VENDOR_NAMES: Readonly<Record<string, string>> = { github: "GitHub", aws: "AWS" };

/** Returns a vendor's name as people write it: `neon` becomes `Neon`. */
export function displayNameOf(vendor: string): string {
  return (
    VENDOR_NAMES[vendor] ?? vendor.replace(/(^|_)(\w)/g, (_, gap, letter) => `${gap && " "}${letter.toUpperCase()}`)
  );
}

/** Returns the first and the last characters of an id, an address or a hash. */
export function shorten(id: string): string {
  return id.length <= 15 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}

export function formatNetwork(network: string): string {
  return formatName(network.replace("-", " "));
}

/** Returns a text with its addresses in a form that fits into a title or a table. */
export function shortenAddresses(text: string): string {
  return text.replace(/\b0x\w{40}\b/g, shorten);
}

/** Returns a time in the time zone of the browser, to the minute. */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

/** Returns a time in UTC, to the second. */
export function formatUtc(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Returns a day such as `2026-11-30` as `Nov 30`. */
export function formatDay(date: string): string {
  return new Date(date).toLocaleDateString("en", { month: "short", day: "numeric", timeZone: "UTC" });
}

/** Returns the time left in the largest two units: `23 h 59 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Returns rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula is prefixed with an apostrophe. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const safe = /^[=+@\t\r\n]|^-(?!\d+(\.\d+)?$)/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Lets the browser save a text as a file. */
export function downloadText(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // A busy browser reads the URL some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
