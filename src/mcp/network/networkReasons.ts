/** Explains Node's errors of sockets, TLS and HTTP in words that complete "… cannot be reached: …". */

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there, is the server running?'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name cannot be looked up, is there a network?'],
  ['ETIMEDOUT', 'the host does not answer'],
  ['EHOSTUNREACH', 'no network path leads to the host'],
  ['ENETUNREACH', 'there is no network'],
  ['ENOENT', 'there is no such socket, is the server running?'],
  ['ENOTSOCK', 'the file of this name is not a socket'],
  ['EACCES', 'you have no permission'],
]);

/** The certificate is not signed by an authority that we trust. */
const unknownAuthority =
  /^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/u;
/** TLS alerts about our certificate (RFC 8446 section 6.2), as OpenSSL and BoringSSL spell them. */
const wantsCertificate = /CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA/u;

export function networkReason(code: string, cause: Error): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return 'the headers of its answer are larger than 16 KiB: is a cookie or another header that long?';
  }
  if (code.startsWith('HPE_')) {
    return 'the server there does not speak HTTP: are http and https mixed up?';
  }
  if (isOfUnknownAuthority(code)) {
    // Newer versions of Node append advice about a command line option.
    const [what = ''] = cause.message.split(';');
    return `its certificate is not accepted (${what}): if it is the right one, name the certificate of its authority in "tls.ca"`;
  }
  if (isAboutOurCertificate(code)) {
    return `it does not accept the client certificate, or wants one (${cause.message}): name one that it accepts in "tls.cert" and "tls.key"`;
  }
  return (
    reasons.get(code) ??
    (/CERT|SIGNATURE|TLS/u.test(code)
      ? `its certificate is not accepted (${cause.message})`
      : cause.message)
  );
}

/** Whether the certificate is not signed by an authority that we trust. */
export function isOfUnknownAuthority(code: string): boolean {
  return unknownAuthority.test(code);
}

/** Whether the TLS alert is about our certificate, or about a missing one. */
export function isAboutOurCertificate(code: string): boolean {
  return wantsCertificate.test(code);
}

/** The code of Node's error; empty if it has none. */
export function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
