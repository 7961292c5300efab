/**
 * `tls` and `proxy` of an entry, as a consent shows them. A consent is bound to the certificates of the authorities:
 * whoever can change their file decides who can impersonate the server.
 */
import { connectionTexts } from './launchContext.ts';
import { type Authority, authorityField, resolveAuthority } from './resolveConnection.ts';
import type { Resolver } from './resolver.ts';
import { SecretCollector } from './secrets.ts';
import type { HttpLaunch, ServerConfig } from '../config/serverConfig.ts';
import { type Described, type Describing, fact } from './describing.ts';
import type { LaunchFact, Risk } from './launchDescription.ts';
import { visible, visibleWhole } from '../../base/visible.ts';

/** `authorities` is for the hash: the certificates in PEM; absent where the entry names none that may be read yet. */
export async function describeConnection(
  server: ServerConfig & { readonly launch: HttpLaunch },
  describing: Describing,
): Promise<Described & { readonly authorities?: readonly string[] }> {
  const { launch } = server;
  const { tls, proxy } = launch;
  const authorities = await describeAuthorities(server, describing);
  const names = (authorities ?? []).map(({ subjects }) => visible(subjects.join('; ')));
  // The authorities come first.
  const facts = await Promise.all(
    connectionTexts(launch).map(async ({ field, text }, index) => {
      const authority = authorities?.[index];
      const shown = isPem(text) ? 'PEM' : await shownText(field, text, describing);
      return connectionFact(
        authority === undefined
          ? `${field}: ${shown}`
          : `${field}: ${shown} (${names[index] ?? ''})`,
      );
    }),
  );
  const unnamed = (tls?.ca ?? []).map((text) => (isPem(text) ? 'PEM' : describing.known(text)));
  return {
    facts: [
      ...facts,
      ...(tls?.insecure === true ? [connectionFact('tls.insecure: true')] : []),
      ...(proxy === false ? [connectionFact('proxy: false')] : []),
    ],
    risks: [
      ...(tls?.ca === undefined
        ? []
        : [
            risk(
              'authority',
              authorities === undefined ? visible(unnamed.join('; ')) : names.join('; '),
            ),
          ]),
      ...(typeof proxy === 'string' ? [risk('proxy', visible(describing.known(proxy)))] : []),
      ...(tls?.insecure === true ? [risk('unchecked', '')] : []),
    ],
    ...(authorities === undefined ? {} : { authorities: authorities.map(({ pem }) => pem) }),
  };
}

/** Undefined where there are none, or where one of them may not be opened yet. */
async function describeAuthorities(
  server: ServerConfig & { readonly launch: HttpLaunch },
  describing: Describing,
): Promise<readonly Authority[] | undefined> {
  const templates = server.launch.tls?.ca ?? [];
  const found: Authority[] = [];
  for (const [index, template] of templates.entries()) {
    const field = authorityField(templates, index);
    const read = (resolver: Resolver): Promise<Authority> =>
      resolveAuthority(
        field,
        template,
        { server, context: describing.context, resolver, secrets: new SecretCollector() },
        found,
      );
    const authority = isPem(template)
      ? await describing.attempt(() => read(describing.resolver(field)), undefined)
      : await describing.contentOf(field, template, describing.path(template), read);
    if (authority === undefined) {
      return undefined;
    }
    found.push(authority);
  }
  return templates.length === 0 ? undefined : found;
}

/** A path as resolved, any other text as written. */
async function shownText(field: string, text: string, describing: Describing): Promise<string> {
  return /^tls\.(?:ca|cert|key)/u.test(field)
    ? describing.shownPath(describing.path(text))
    : visibleWhole(describing.known(text));
}

function isPem(text: string): boolean {
  return text.includes('-----BEGIN');
}

function connectionFact(value: string): LaunchFact {
  return fact('connection', value);
}

function risk(by: Extract<Risk, { kind: 'connection' }>['by'], text: string): Risk {
  return { kind: 'connection', by, text };
}
