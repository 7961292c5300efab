/** In which forms a secret may turn up in a text, besides as it is: those that programs write texts in. */

/** Of Base64 and hexadecimal, a shorter piece of a short secret would strike out ordinary words. */
const minCodeChars = 6;
/** Of a longer secret, such as a bundle of keys, there is no other form than its own. */
const maxSecretChars = 16 * 1024;

/** The secret itself, in JSON, in a URL, in HTML, in Base64 wherever in it, and in hexadecimal. */
export function formsOf(secret: string): ReadonlySet<string> {
  if (secret.length > maxSecretChars) {
    return new Set([secret]);
  }
  const text = secret.toWellFormed();
  const bytes = Array.from(new TextEncoder().encode(text));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const inBase64 = base64Forms(bytes.map((byte) => String.fromCharCode(byte)).join(''));
  const codes = [
    ...inBase64,
    ...inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ].filter((code) => code.length >= minCodeChars);
  const quoted = JSON.stringify(text).slice(1, -1);
  return new Set([secret, quoted, ...urlForms(text), ...htmlForms(text), ...codes]);
}

/** As `encodeURIComponent` has it and as forms have it, with digits of either case. */
function urlForms(text: string): readonly string[] {
  if (/^[\w.-]*$/u.test(text)) {
    return [];
  }
  const whole = [encodeURIComponent(text), new URLSearchParams({ '': text }).toString().slice(1)];
  return whole.flatMap((form) => [
    form,
    form.replaceAll(/%[\dA-F]{2}/gu, (code) => code.toLowerCase()),
  ]);
}

/** Quotes are written in several ways, or stay. */
function htmlForms(text: string): readonly string[] {
  if (!/[&<>"']/u.test(text)) {
    return [];
  }
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['"', '&quot;', '&#34;', '&#x22;'].flatMap((double) =>
    ["'", '&#39;', '&#x27;', '&#039;', '&apos;'].map((single) =>
      plain.replaceAll('"', double).replaceAll("'", single),
    ),
  );
}

/** Where so many bytes of something else stand before it in Base64: the characters that those do not reach into. */
function base64Forms(bytes: string): readonly string[] {
  return [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + bytes).slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    ),
  );
}
