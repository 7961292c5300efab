/** What a report may say of addresses, which hold secrets at times: keys in paths and queries, users and passwords. */
import { looksLikeKey } from '../launch/secrets.ts';

/** @param url an absolute one @returns it without user, query and fragment, and without what looks like a key in its path */
export function shareableUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  const parts = pathname.split('/').map((part) => (looksLikeKey(part) ? '***' : part));
  return `${protocol}//${host}${parts.join('/')}`;
}

/** @param value of a setting or variable: a URL, or what stands for one, such as `user:password@host:80` */
export function shareableProxy(value: string): string {
  return value.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/isu, '$1');
}
