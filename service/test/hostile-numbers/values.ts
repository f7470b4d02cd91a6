/** A JSON text that is not an amount. */
interface HostileNumber {
  readonly text: string | Buffer;
  /** Whether the whole body is then not valid JSON, or exceeds a limit of the parser. The error names the body. */
  readonly breaksBody: boolean;
}

/**
 * Returns more than 300 JSON texts that no amount field accepts. `null` is not one of them, because some fields can be
 * cleared. `field` is the name of the field: some texts contain it a second time.
 */
export function hostileNumbers(field: string): HostileNumber[] {
  const strings = [...new Set(hostileTexts())].map((text) => JSON.stringify(text));
  const valid = new Set([...hostileJsonNumbers(), ...strings, ...ESCAPED, ...OTHER_TYPES]);
  return [
    ...[...valid].map((text) => ({ text, breaksBody: false })),
    ...brokenBodies(field).map((text) => ({ text, breaksBody: true })),
  ];
}

/** Returns JSON texts of amounts that have one decimal more than the currency. */
export function tooPrecise(decimals: number): string[] {
  const smallest = `0.${"0".repeat(decimals)}1`;
  const trailing = `1.5${"0".repeat(decimals)}`;
  return [smallest, trailing, `"${smallest}"`, `"${trailing}"`];
}

const MANTISSAS = ["0", "1", "1.5", "12.50", "100"];
const EXPONENTS = ["e2", "E2", "e+2", "E+02", "e-2", "E-2", "e0", "e39", "e400", "e-400"];

const POSITIVE = ["0", "0.0", "0.00", "1", "0.01", "12.50", "1e2", `1${"0".repeat(39)}`];

/** Amounts of more than 18 digits before the point. Some of them are limits of number types. */
const TOO_LARGE = [
  ...[18, 19, 20, 21, 25, 38, 39, 40, 100, 308, 309, 5_000].map((zeros) => `1${"0".repeat(zeros)}`),
  ...[63n, 64n, 128n].flatMap((bits) => [`${2n ** bits - 1n}`, `${2n ** bits}`]),
  `1${"0".repeat(39)}.00`,
  `${"9".repeat(19)}.99`,
  `${"1".repeat(100_000)}`,
];

/** From 7 to 20 decimals, and then many more. */
const TOO_PRECISE = [...Array.from({ length: 14 }, (_, index) => index + 7), 39, 400].flatMap((decimals) => [
  `0.${"0".repeat(decimals - 1)}1`,
  `1.${"0".repeat(decimals)}`,
  `12.5${"3".repeat(decimals - 1)}`,
]);

/** Numbers that JSON allows and amounts do not. */
function hostileJsonNumbers(): string[] {
  const withExponent = MANTISSAS.flatMap((mantissa) => EXPONENTS.map((one) => mantissa + one));
  const negative = POSITIVE.map((text) => `-${text}`);
  return [...withExponent, ...negative, "-0e0", "-0E-1", ...TOO_LARGE, ...TOO_PRECISE];
}

/** The digit zero of other scripts. The nine characters after it are the digits from one to nine. */
const ZEROS = [
  ...[0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50],
  ...[0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0x1946, 0x1b50, 0xa8d0, 0xff10, 0x104a0, 0x11066],
  ...[0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1fbf0],
];

/** Spaces, control characters, and characters that are not visible. */
const UNSEEN = [
  ...[0x20, 0x09, 0x0a, 0x0d, 0x00, 0x0b, 0x7f, 0x85, 0xa0, 0xad, 0x61c, 0x180e, 0x2003, 0x2009],
  ...[0x200b, 0x200c, 0x200d, 0x200e, 0x202e, 0x2028, 0x2060, 0x2066, 0x3000, 0xfe0f, 0xfeff],
  ...[0xe0030, 0x301],
].map((code) => String.fromCodePoint(code));

/** Notations of numbers in other languages, programs and countries. */
const NOTATIONS = [
  ...["", ".", "-", "+", "e", "e2", ".5", "5.", "1.", "-.5", "1..2", "1.2.3", "--1", "+-1", "1-", "(1)"],
  ...["00", "01", "007", "-01", "00.50", "000000000000000000000001", "+0", "+1", "+12.50", "++1"],
  ...["0x10", "0X1F", "0b11", "0o17", "1n", "1f", "1d", "1L", "0x1p4", "1_000", "1__0", "1'000"],
  ...["1,5", "1,000", "1,000.00", "1.000,00", "1 000", "1;0", "1:30", "12·50", "12٫50", "1٬000", "1，5"],
  ...["NaN", "nan", "Infinity", "-Infinity", "+Infinity", "inf", "∞", "null", "true", "false"],
  ...["undefined", "[object Object]", "one", "ten dollars", "zero", "all", "max", "*", "?", "%s", "#{1}"],
  ...["$1", "1$", "USD 1", "1 USD", "€1", "¢50", "1%", "1/2", "2*3", "1+1", "1e", "1e+", "1E2.5"],
  ...["½", "²", "1²", "①", "Ⅻ", "一百", "〇", "٪", "𝟏e𝟐", "１２．５０", "1．5", "1。5", "－1", "−1", "‐1"],
  ...["'1'", '"1"', "`1`", "\\u0031", "&#49;", "%31", "1;--", "1 or 1=1", "<b>1</b>", "1\0", "1\\"],
];

/** Texts that are sent as JSON strings. */
function hostileTexts(): string[] {
  const foreign = ZEROS.flatMap((zero) => {
    const digit = (value: number) => String.fromCodePoint(zero + value);
    return [`${digit(1)}${digit(2)}.${digit(5)}${digit(0)}`, `1${digit(0)}`, `1.${digit(5)}`];
  });
  const unseen = UNSEEN.flatMap((one) => [one, `${one}1`, `1${one}`, `1${one}2.50`]);
  return [...hostileJsonNumbers(), ...foreign, ...unseen, ...NOTATIONS];
}

/** Strings in which an escape hides a character. */
const ESCAPED = ['"\\u002d1"', '"1\\u0065\\u0032"', '"\\uff11"', '"\\ud800"', '"1\\udfff"', '"1\\/2"'];

const OTHER_TYPES = [
  ...["true", "false", "{}", "[]", "[1]", '["1.00"]', "[12.50]", "[null]", "[[1]]", "[1,2]", "[-0]"],
  ...['{"amount":"1.00"}', '{"value":1}', '{"toString":1}', '{"valueOf":"1"}', '{"length":1}', '{"":1}'],
  ...['{"constructor":{"prototype":1}}', '{"__proto__":1}', '{"$numberDecimal":"1"}', '{"0":"1"}'],
  ...['{"s":1,"e":0,"c":[1]}', `${"[".repeat(20)}1${"]".repeat(20)}`, `[${"1,".repeat(999)}1]`],
];

/** Texts after which the body is not valid JSON, contains the field twice, or exceeds a limit of the parser. */
function brokenBodies(field: string): (string | Buffer)[] {
  const escaped = `\\u${field.charCodeAt(0).toString(16).padStart(4, "0")}${field.slice(1)}`;
  return [
    ...["", "00", "01", "-01", "-", "+1", "+", ".5", "-.5", "5.", "1.", "1.e2", "1e", "1e+", "--1", "1-"],
    ...["0x10", "0b1", "0o7", "1n", "1f", "1_000", "1,000", "1 2", "1.2.3", "1/*c*/", "1//", "(1)", "1+1"],
    ...["NaN", "Infinity", "-Infinity", "undefined", "None", "True", "nan", "∞", "½", "−1", "１", "١", "१"],
    ..."'1' `1` \"1 1\" $1 1% =1 #1 1;".split(" "),
    ...["\u00a01", "\u200b1", "\ufeff1", "1\u3000", "1\0", '"1\n"', '"1\t"', '"\\x31"', '"\\u00g1"'],
    ...["[1", "1]", "{1}", "[1,]", "{]", `${"[".repeat(40)}1${"]".repeat(40)}`, `[${"1,".repeat(1_000)}1]`],
    ...[`1,"${field}":2`, `"1.00","${field}":"1.00"`, `"1e2","${field}":"1.00"`],
    ...[`"1.00","${escaped}":"1e2"`, `1,"${escaped}":null`, `1,"${field}":1,"${field}":1`],
    Buffer.from([0x22, 0x31, 0xff, 0x22]),
    Buffer.from([0x22, 0xc0, 0xb1, 0x22]),
  ];
}
