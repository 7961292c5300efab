/** Removes secrets from URLs for a report: keys in paths and queries, users and passwords. */
import { looksLikeKey } from '../launch/secrets.ts';

/** @param url an absolute one @returns it without user, query, fragment, and parts of its path that look like keys */
export function shareableUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  const parts = pathname.split('/').map((part) => (looksLikeKey(part) ? '***' : part));
  return `${protocol}//${host}${parts.join('/')}`;
}

/** @param value of a setting or variable: a URL, or a short form such as `user:password@host:80` */
export function shareableProxy(value: string): string {
  return value.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/isu, '$1');
}
