/**
 * A URL that a server wants opened, as it is shown before the user consents (ELIC-23, ELIC-25): whole,
 * the host apart, and what is odd about it. Pure: nothing is looked up or fetched.
 */
import { domainToUnicode } from 'node:url';

export type LinkWarning =
  /** Not encrypted. */
  | { readonly kind: 'plainHttp' }
  /** The host is an encoded international name, which may look like another; `shown` is how it would look. */
  | { readonly kind: 'punycode'; readonly shown: string }
  /** `https://bank.example@evil.example/`: what stands before the host is not the host. */
  | { readonly kind: 'userInfo' }
  | { readonly kind: 'ipAddress' }
  | { readonly kind: 'thisMachine' }
  | { readonly kind: 'localNetwork' }
  | { readonly kind: 'port'; readonly port: string }
  /** The URL as it was sent holds characters that are hidden, blank, or stand for others. */
  | { readonly kind: 'rewritten' }
  | { readonly kind: 'long'; readonly length: number };

export type Link =
  | {
      readonly kind: 'usable';
      /** Exactly what would be opened. ASCII. */
      readonly href: string;
      /** Host and, unless it is the scheme's own, port. */
      readonly host: string;
      readonly warnings: readonly LinkWarning[];
    }
  /** Nothing that a browser should be given, such as `file:`, `command:` or `javascript:`. */
  | { readonly kind: 'unusable'; readonly scheme: string };

/** Longer ones do not fit the dialog, and hide where they end. */
const longUrl = 500;

/** @param url passes `URL.canParse` */
export function describeLink(url: string): Link {
  const parsed = new URL(url);
  const { protocol, host, hostname, href, port } = parsed;
  if ((protocol !== 'https:' && protocol !== 'http:') || hostname === '') {
    return { kind: 'unusable', scheme: protocol.slice(0, -1) };
  }
  const warnings: LinkWarning[] = [];
  const place = placeOf(hostname);
  if (protocol === 'http:' && place !== 'thisMachine') {
    warnings.push({ kind: 'plainHttp' });
  }
  if (parsed.username !== '' || parsed.password !== '') {
    warnings.push({ kind: 'userInfo' });
  }
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    warnings.push({ kind: 'punycode', shown: domainToUnicode(hostname) });
  }
  if (place !== 'internet') {
    warnings.push({ kind: place });
  }
  if (port !== '' && place !== 'thisMachine') {
    warnings.push({ kind: 'port', port });
  }
  if (isRewritten(url, parsed)) {
    warnings.push({ kind: 'rewritten' });
  }
  if (href.length > longUrl) {
    warnings.push({ kind: 'long', length: href.length });
  }
  return { kind: 'usable', href, host, warnings };
}

type Place = 'internet' | 'ipAddress' | 'thisMachine' | 'localNetwork';

/** @param hostname as the URL parser leaves it: lower case, IPv4 in four decimal parts, IPv6 in brackets */
function placeOf(hostname: string): Place {
  const name = hostname.replace(/\.$/u, '');
  if (name === 'localhost' || name.endsWith('.localhost') || /^127\.[\d.]+$/u.test(name)) {
    return 'thisMachine';
  }
  if (name === '[::1]' || name === '0.0.0.0' || name === '[::]') {
    return 'thisMachine';
  }
  const isPrivate =
    /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$/u.test(name) ||
    /^\[f(?:[cd]|e[89ab])/u.test(name);
  if (isPrivate || /\.(?:local|internal|lan|home\.arpa)$/u.test(name) || !/[.:]/u.test(name)) {
    return 'localNetwork';
  }
  return /^(?:\[.*\]|[\d.]+)$/u.test(name) ? 'ipAddress' : 'internet';
}

/** The host as the server wrote it, for the eye; what is opened is the encoded one. */
function writtenHost(url: string): string {
  const authority = /^[^:]*:[\\/]*([^\\/?#]*)/u.exec(url)?.[1] ?? '';
  return authority.replace(/^.*@/u, '').replace(/:\d*$/u, '');
}

/**
 * What a browser would quietly mend: blanks and control characters, backslashes for slashes, a host in
 * letters that stand for others ("ｅxample.com"), numbers in disguise ("0x7f.1").
 */
function isRewritten(url: string, { hostname }: URL): boolean {
  const written = writtenHost(url).toLowerCase();
  const isOtherHost = /^[\u0021-\u007e]*$/u.test(written) && written !== hostname;
  const folds = /[^\u0021-\u007e]/u.test(written) && !hostname.includes('xn--');
  return /[\p{Cc}\p{Cf}\p{Z}\\]/u.test(url) || isOtherHost || folds;
}
