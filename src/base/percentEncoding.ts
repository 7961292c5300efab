/** Percent-encoding (RFC 3986 section 2.1) in texts that people and other programs have written. */

/** The text itself where a percent sign in it encodes nothing, as in "100%". */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
