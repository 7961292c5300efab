/** Reads certificates from a PEM text and names them for people. Does not judge whether they are valid. */
import { X509Certificate } from 'node:crypto';

/** @throws Error of OpenSSL for one that cannot be read */
export function certificatesIn(pem: string): readonly X509Certificate[] {
  const found: X509Certificate[] = [];
  const end = /-----END [^-]*-----/gu;
  for (const { index, 0: begin } of pem.matchAll(beginning)) {
    // Search from the end of the last certificate: a BEGIN line inside of one starts none.
    if (index < end.lastIndex) {
      continue;
    }
    end.lastIndex = index + begin.length;
    if (end.exec(pem) === null) {
      break;
    }
    found.push(new X509Certificate(pem.slice(index, end.lastIndex)));
  }
  return found;
}

const beginning = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/gu;

/** On one line, the most specific part first. */
export function subjectOf({ subject }: X509Certificate): string {
  // Undefined, despite its type, for a certificate without a subject.
  const parts = (subject as string | undefined)?.split('\n') ?? [];
  return parts.length === 0 ? 'no name' : parts.toReversed().join(', ');
}

export function isExpired({ validTo }: X509Certificate): boolean {
  return Date.parse(validTo) < Date.now();
}
