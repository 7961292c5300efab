/**
 * A URL of the settings as it is shown before the start. Where it leads is always told, also when a
 * variable says so; values that variables put after that stay hidden behind the variable.
 */
import { referencesIn, replaceReferences } from '../config/variables.ts';

export interface UrlDescription {
  readonly shown: string;
  /** Scheme, host and port, as far as they are known. */
  readonly origin: string;
  /** Names of the query's parameters. */
  readonly parameters: readonly string[];
}

/** @param text folders replaced, `${env:…}` and `${input:…}` as they were written */
export function describeUrl(text: string, envValue: (name: string) => string): UrlDescription {
  const end = endOfAuthority(text);
  const authority = text.slice(0, end);
  const rest = text.slice(end);
  const parameters = [...new URLSearchParams(/\?([^#]*)/u.exec(rest)?.[1] ?? '').keys()];
  const replaced = replaceReferences(authority, (reference) =>
    reference.kind === 'env' ? envValue(reference.name) : undefined,
  );
  if (replaced.includes('${input:') || !URL.canParse(replaced)) {
    return { shown: replaced + rest, origin: replaced, parameters };
  }
  const url = new URL(replaced);
  // The value of a variable may go on after the host, with a path or a query that may hold a secret.
  const isOriginOnly = url.pathname === '/' && url.search === '' && url.hash === '';
  const references = referencesIn(authority).map((reference) => reference.text);
  if (references.length > 0) {
    const hidden = isOriginOnly ? '' : `/…${references.join('')}`;
    return { shown: url.origin + hidden + rest, origin: url.origin, parameters };
  }
  // A host in other letters is shown as it is looked up: `xn--…` looks like no other host.
  const isAscii = /^[\u0021-\u007e]*$/u.test(authority);
  return { shown: isAscii ? text : url.origin + rest, origin: url.origin, parameters };
}

/** Where scheme, host and port end in a text whose variables count as one character each. */
function endOfAuthority(text: string): number {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:[\\/]*/u.exec(text)?.[0] ?? '';
  const rest = /^(?:\$\{[^{}]*\}|[^\\/?#])*/u.exec(text.slice(scheme.length))?.[0] ?? '';
  return scheme.length + rest.length;
}
