/** Explains Node's errors of sockets, TLS and HTTP in words that complete "… cannot be reached: …". */
import { t } from '../../base/l10n.ts';

/** The certificate is not signed by an authority that we trust. */
const unknownAuthority =
  /^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/u;
/** TLS alerts about our certificate (RFC 8446 section 6.2), as OpenSSL and BoringSSL spell them. */
const wantsCertificate = /CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA/u;

function reasonOf(code: string): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return t('nothing listens there, is the server running?');
    case 'ENOTFOUND':
      return t('the host name is unknown');
    case 'EAI_AGAIN':
      return t('the host name cannot be looked up, is there a network?');
    case 'ETIMEDOUT':
      return t('the host does not answer');
    case 'EHOSTUNREACH':
      return t('no network path leads to the host');
    case 'ENETUNREACH':
      return t('there is no network');
    case 'ENOENT':
      return t('there is no such socket, is the server running?');
    case 'ENOTSOCK':
      return t('the file of this name is not a socket');
    case 'EACCES':
      return t('you have no permission');
    default:
      return undefined;
  }
}

export function networkReason(code: string, cause: Error): string {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return t(
      'the headers of its answer are larger than 16 KiB: is a cookie or another header that long?',
    );
  }
  if (code.startsWith('HPE_')) {
    return t('the server there does not speak HTTP: are http and https mixed up?');
  }
  if (isOfUnknownAuthority(code)) {
    // Newer versions of Node append advice about a command line option.
    const [what = ''] = cause.message.split(';');
    return t(
      'its certificate is not accepted ({0}): if it is the right one, name the certificate of its authority in "tls.ca"',
      what,
    );
  }
  if (isAboutOurCertificate(code)) {
    return t(
      'it does not accept the client certificate, or wants one ({0}): name one that it accepts in "tls.cert" and "tls.key"',
      cause.message,
    );
  }
  return (
    reasonOf(code) ??
    (/CERT|SIGNATURE|TLS/u.test(code)
      ? t('its certificate is not accepted ({0})', cause.message)
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
