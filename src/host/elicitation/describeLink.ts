/**
 * A URL that a server wants opened, as shown before the user consents (ELIC-23, ELIC-25): complete, with the host apart
 * and its suspicious parts. Pure: nothing is looked up or fetched.
 */
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { isLoopback } from '../../mcp/network/loopback.ts';
import { bareHost, isPrivateAddress } from '../../mcp/network/privateAddress.ts';

export type LinkWarning =
  /** Not encrypted. */
  | { readonly kind: 'plainHttp' }
  /** The host is an encoded international name, which may resemble another; `shown` is its decoded form. */
  | { readonly kind: 'punycode'; readonly shown: string }
  /** `https://bank.example@evil.example/`: the text before the `@` is not the host. */
  | { readonly kind: 'userInfo' }
  | { readonly kind: 'ipAddress' }
  | { readonly kind: 'thisMachine' }
  | { readonly kind: 'localNetwork' }
  | { readonly kind: 'port'; readonly port: string }
  /** The URL as sent has characters that are invisible, blank, or equivalent to others. */
  | { readonly kind: 'rewritten' }
  | { readonly kind: 'long'; readonly length: number };

export type Link =
  | {
      readonly kind: 'usable';
      /** Exactly the URL that would be opened. ASCII. */
      readonly href: string;
      /** The host, with the port unless it is the scheme's default. */
      readonly host: string;
      readonly warnings: readonly LinkWarning[];
    }
  /** A scheme that must not reach a browser, such as `file:`, `command:` or `javascript:`. */
  | { readonly kind: 'unusable'; readonly scheme: string };

/** Longer ones do not fit the dialog, and hide their end. */
const longUrl = 500;

/** @param url passes `URL.canParse` */
export function describeLink(url: string): Link {
  const parsed = new URL(url);
  const { protocol, host, hostname, href, port } = parsed;
  if ((protocol !== 'https:' && protocol !== 'http:') || hostname === '') {
    return { kind: 'unusable', scheme: protocol.slice(0, -1) };
  }
  const place = placeOf(hostname);
  const isOwn = place === 'thisMachine';
  const isEncoded = hostname.split('.').some((label) => label.startsWith('xn--'));
  const warnings = [
    when(protocol === 'http:' && !isOwn, { kind: 'plainHttp' }),
    when(parsed.username !== '' || parsed.password !== '', { kind: 'userInfo' }),
    when(isEncoded, { kind: 'punycode', shown: domainToUnicode(hostname) }),
    place === 'internet' ? [] : [{ kind: place }],
    when(port !== '' && !isOwn, { kind: 'port', port }),
    when(isRewritten(url, parsed), { kind: 'rewritten' }),
    when(href.length > longUrl, { kind: 'long', length: href.length }),
  ];
  return { kind: 'usable', href, host, warnings: warnings.flat() };
}

function when(isSo: boolean, warning: LinkWarning): readonly LinkWarning[] {
  return isSo ? [warning] : [];
}

type Place = 'internet' | 'ipAddress' | 'thisMachine' | 'localNetwork';

/** @param hostname as the URL parser leaves it: lower case, IPv4 in four decimal parts, IPv6 in brackets */
function placeOf(hostname: string): Place {
  const host = { hostname: hostname.replace(/\.$/u, '') };
  const name = bareHost(host);
  if (isLoopback(host) || name === '0.0.0.0' || name === '::') {
    return 'thisMachine';
  }
  if (isIP(name) !== 0) {
    return isPrivateAddress(name) ? 'localNetwork' : 'ipAddress';
  }
  const isLocal = /\.(?:local|internal|lan|home\.arpa)$/u.test(name) || !name.includes('.');
  return isLocal ? 'localNetwork' : 'internet';
}

/** The host as the server wrote it, for display; the encoded one is opened. */
function writtenHost(url: string): string {
  const authority = /^[^:]*:[\\/]*([^\\/?#]*)/u.exec(url)?.[1] ?? '';
  return authority.replace(/^.*@/u, '').replace(/:\d*$/u, '');
}

/**
 * Whether a browser would silently correct the URL: blanks and control characters, backslashes for slashes, a host in
 * equivalent letters ("ｅxample.com"), disguised numbers ("0x7f.1").
 */
function isRewritten(url: string, { hostname }: URL): boolean {
  const written = writtenHost(url).toLowerCase();
  const isOtherHost = /^[\u0021-\u007e]*$/u.test(written) && written !== hostname;
  const folds = /[^\u0021-\u007e]/u.test(written) && !hostname.includes('xn--');
  return /[\p{Cc}\p{Cf}\p{Z}\\]/u.test(url) || isOtherHost || folds;
}
