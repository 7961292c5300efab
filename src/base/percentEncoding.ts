/** Percent-decoding (RFC 3986 section 2.1) of texts that people and other programs have written. */

/** Returns the text itself if a percent sign in it encodes nothing, as in "100%". */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
