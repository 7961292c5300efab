/** The forms in which programs may write a secret, in addition to the secret itself. */

/** In Base64 and hexadecimal, shorter pieces of a short secret would match ordinary words. */
const minCodeChars = 6;
/** A longer secret, such as a bundle of keys, is matched only as it is. */
const maxSecretChars = 16 * 1024;

/** The secret itself, in JSON, in a URL, in HTML, in Base64 at any offset, and in hexadecimal. */
export function formsOf(secret: string): ReadonlySet<string> {
  if (secret.length > maxSecretChars) {
    return new Set([secret]);
  }
  const text = secret.toWellFormed();
  const lines = text.replaceAll('\r\n', '\n');
  const texts = new Set([text, lines, lines.replaceAll('\n', '\r\n')]);
  return new Set([secret, ...[...texts].flatMap((one) => formsOfText(one))]);
}

function formsOfText(text: string): readonly string[] {
  const bytes = Array.from(new TextEncoder().encode(text));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const inBase64 = base64Forms(bytes.map((byte) => String.fromCharCode(byte)).join(''));
  const codes = [
    ...inBase64,
    ...inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ].filter((code) => code.length >= minCodeChars);
  return [text, ...jsonForms(text), ...urlForms(text), ...htmlForms(text), ...codes];
}

/** Characters written as `\u0026` beyond what JSON requires: none, or as Python and PHP do, Go, Gson, .NET. */
const jsonEscaped: readonly RegExp[] = [
  /(?!)/gu,
  /[^\0-\x7f]/gu,
  /[<>&]/gu,
  /[<>&'=]/gu,
  /\\"|[<>&'+`]|[^\0-\x7f]/gu,
];

/** With hex digits of either case, and with the slash plain or escaped. */
function jsonForms(text: string): readonly string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  return jsonEscaped.flatMap((escaped) =>
    [
      quoted.replaceAll(escaped, unicodeEscaped),
      quoted.replaceAll(escaped, upperUnicodeEscaped),
    ].flatMap((form) => [form, form.replaceAll('/', String.raw`\/`)]),
  );
}

/** Escapes each half of a surrogate pair separately, and only the quote of `\"`. */
function unicodeEscaped(found: string): string {
  const units = found.replace('\\', '').split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

function upperUnicodeEscaped(found: string): string {
  return unicodeEscaped(found).replaceAll(/[a-f]/gu, (digit) => digit.toUpperCase());
}

/** As `encodeURIComponent`, as forms, and as paths and queries of URLs, with hex digits of either case. */
function urlForms(text: string): readonly string[] {
  if (/^[\w.-]*$/u.test(text)) {
    return [];
  }
  const inUrls = ['http://h/', 'http://h/?']
    .map((start) => new URL(start + text).href.slice(start.length))
    .filter((form) => form.length >= text.length); // `..` would remove the segment before it
  const whole = [
    encodeURIComponent(text),
    new URLSearchParams({ '': text }).toString().slice(1),
    ...inUrls,
  ];
  return whole.flatMap((form) => withLowerDigits(form, /%[\dA-F]{2}/gu));
}

/** Characters escaped in addition to `&`, `<`, `>` and quotes: none, or as Go does, Handlebars, OWASP, Mustache. */
const htmlEscaped: readonly Readonly<Record<string, string>>[] = [
  {},
  { '+': '&#43;' },
  { '=': '&#x3D;', '`': '&#x60;' },
  { '/': '&#x2F;' },
  { '/': '&#x2F;', '=': '&#x3D;', '`': '&#x60;' },
];

/** How both kinds of quotes are written; between tags they stay as they are. */
const htmlQuotes = [
  ['"', "'"],
  ['&quot;', "'"],
  ['&quot;', '&#39;'],
  ['&quot;', '&#x27;'],
  ['&quot;', '&#039;'],
  ['&quot;', '&apos;'],
  ['&#34;', '&#39;'],
  ['&#x22;', '&#x27;'],
] as const;

function htmlForms(text: string): readonly string[] {
  if (!/[&<>"'/=`+]/u.test(text)) {
    return [];
  }
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const forms = htmlEscaped.flatMap((escapes) =>
    withLowerDigits(
      plain.replaceAll(/[+=`/]/gu, (found) => escapes[found] ?? found),
      /&#x[\dA-F]+;/gu,
    ),
  );
  return [...new Set(forms)].flatMap((form) =>
    htmlQuotes.map(([double, single]) => form.replaceAll('"', double).replaceAll("'", single)),
  );
}

function withLowerDigits(form: string, codes: RegExp): readonly string[] {
  return [form, form.replaceAll(codes, (code) => code.toLowerCase())];
}

/** The Base64 of the secret after this many other bytes: only the characters that those bytes do not affect. */
function base64Forms(bytes: string): readonly string[] {
  return [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    ),
  );
}
