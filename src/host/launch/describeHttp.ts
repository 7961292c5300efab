/**
 * A server that is reached by URL, as a consent shows it: address, headers, sign-in, TLS and proxy. A consent is bound
 * to the certificates of the authorities: whoever can change their file decides who can impersonate the server.
 */
import { withoutUndefined } from '../../base/json.ts';
import { environmentValue, fileFields } from './launchContext.ts';
import { itemField, leavesOf } from '../config/entryReader.ts';
import { looksSecret } from '../../base/secretNames.ts';
import { SecretCollector } from './secrets.ts';
import type { HttpLaunch, OAuthEntry, ServerConfig } from '../config/serverConfig.ts';
import { referencesIn, replaceReferences } from '../config/variables.ts';
import { type Described, type Describing, fact } from './describing.ts';
import { httpRisks, isOnThisMachine } from './risks.ts';
import { visible, visibleWhole } from '../../base/visible.ts';
import { type Authority, resolveAuthority } from './resolveConnection.ts';
import type { Resolver } from './resolver.ts';
import type { Risk } from './launchDescription.ts';
import { socketIn } from '../config/socketUrl.ts';

/** `isHere`: the URL leads to this machine, so the values of URL and headers stay on it. */
export async function describeHttp(
  server: ServerConfig & { readonly launch: HttpLaunch },
  describing: Describing,
): Promise<Described & { readonly content: unknown; readonly isHere: boolean }> {
  const { launch } = server;
  const text = describing.known(launch.url);
  const url = await describing.attempt(
    () => describeUrl(text, (name) => environmentValue(describing.context.machine, name)),
    { shown: text, origin: text, isSocket: false, parameters: [] },
  );
  const headers = Object.entries(launch.headers).map(
    ([name, value]) => [name, describing.known(value)] as const,
  );
  const secretFields = [
    ...(url.parameters.some(looksSecret) || carriesSecret('', url.shown, describing)
      ? ['url']
      : []),
    ...headers
      .filter(([name, value]) => carriesSecret(name, value, describing))
      .map(([name]) => `headers.${name}`),
  ];
  const socket = url.isSocket ? await describing.shownPath(url.origin) : undefined;
  const signIn = await describeSignIn(launch, describing);
  const connection = await describeConnection(server, describing);
  return {
    facts: [
      fact('url', visibleWhole(url.shown)),
      ...(launch.type === undefined ? [] : [fact('transport', launch.type)]),
      ...(socket === undefined ? [] : [fact('socket', socket)]),
      ...headers.map(([name, value]) => fact('header', `${visible(name)}: ${visible(value)}`)),
      ...signIn.facts,
      ...connection.facts,
    ],
    risks: [
      ...httpRisks({ origin: url.origin, secretFields }),
      ...signIn.risks,
      ...connection.risks,
    ],
    isHere: url.isSocket || (typeof launch.proxy !== 'string' && isOnThisMachine(url.origin)),
    content: {
      launch,
      url: url.shown,
      ...(socket === undefined ? {} : { socket }),
      headers: Object.fromEntries(headers),
      connection: [...signIn.facts, ...connection.facts],
      ...(connection.authorities && { authorities: connection.authorities }),
    },
  };
}

function carriesSecret(name: string, text: string, describing: Describing): boolean {
  return (
    looksSecret(name) ||
    referencesIn(text).some((reference) => {
      if (reference.kind !== 'input') {
        return reference.kind === 'env';
      }
      const input = describing.inputOf(reference.id);
      return input?.type === 'promptString' && input.password;
    })
  );
}

async function describeSignIn({ oauth }: HttpLaunch, describing: Describing): Promise<Described> {
  if (oauth === undefined) {
    return { facts: [], risks: [] };
  }
  if (oauth === false) {
    return { facts: [fact('signIn', 'oauth: false')], risks: [] };
  }
  const texts = await Promise.all(
    leavesOf(withoutDefaults(oauth), 'oauth').map(async ({ field, value }) => ({
      field,
      shown: await shownText(field, String(value), describing),
    })),
  );
  return {
    facts: texts.map(({ field, shown }) => fact('signIn', `${field}: ${shown}`)),
    risks: texts
      .filter(({ field }) => field === 'oauth.assertionFile')
      .map(({ shown }) => ({ kind: 'fileSent', path: shown })),
  };
}

function withoutDefaults({ grant, dpop, ...fields }: OAuthEntry): object {
  return {
    ...(grant !== 'authorizationCode' && { grant }),
    ...(dpop && { dpop }),
    ...fields,
  };
}

/** `authorities` is for the hash: the certificates in PEM; absent where the entry names none that may be read yet. */
async function describeConnection(
  server: ServerConfig & { readonly launch: HttpLaunch },
  describing: Describing,
): Promise<Described & { readonly authorities?: readonly string[] }> {
  const { tls, proxy } = server.launch;
  const authorities = await describeAuthorities(server, describing);
  const names = authorities?.map(({ subjects }) => visible(subjects.join('; ')));
  const facts = leavesOf(withoutUndefined({ tls, proxy })).map(async ({ field, value }, index) => {
    const shown = await shownText(field, String(value), describing);
    // The authorities come first.
    const name = names?.[index];
    return fact('connection', `${field}: ${shown}${name === undefined ? '' : ` (${name})`}`);
  });
  const unnamed = tls?.ca?.map((text) => (isPem(text) ? 'PEM' : visible(describing.known(text))));
  return {
    facts: await Promise.all(facts),
    risks: [
      ...(unnamed === undefined ? [] : [risk('authority', (names ?? unnamed).join('; '))]),
      ...(typeof proxy === 'string' ? [risk('proxy', visible(describing.known(proxy)))] : []),
      ...(tls?.insecure === true ? [risk('unchecked', '')] : []),
    ],
    ...(authorities && { authorities: authorities.map(({ pem }) => pem) }),
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
    const field = itemField('tls.ca', templates, index);
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
  if (!fileFields.test(field)) {
    return visibleWhole(describing.known(text));
  }
  return isPem(text) ? 'PEM' : describing.shownPath(describing.path(text));
}

function isPem(text: string): boolean {
  return text.includes('-----BEGIN');
}

function risk(by: Risk<'connection'>['by'], text: string): Risk {
  return { kind: 'connection', by, text };
}

export interface UrlDescription {
  readonly shown: string;
  /** Scheme, host and port, as far as known; the path of a socket, or the name of a pipe. */
  readonly origin: string;
  readonly isSocket: boolean;
  /** Names of the query's parameters. */
  readonly parameters: readonly string[];
}

/** @param text folders replaced, `${env:…}` and `${input:…}` as written */
export function describeUrl(text: string, envValue: (name: string) => string): UrlDescription {
  const withEnvironment = (part: string): string =>
    replaceReferences(part, (reference) =>
      reference.kind === 'env' ? envValue(reference.name) : undefined,
    );
  const socketPath = socketIn(withEnvironment(text))?.socketPath;
  if (socketPath !== undefined) {
    // The socket's path is shown in full, even if a variable holds it.
    const parameters = parametersOf(/\?[^]*/u.exec(text)?.[0]);
    return { shown: text, origin: socketPath, isSocket: true, parameters };
  }
  const end = endOfAuthority(text);
  const authority = text.slice(0, end);
  const rest = text.slice(end);
  const common = { isSocket: false, parameters: parametersOf(/\?([^#]*)/u.exec(rest)?.[1]) };
  const replaced = withEnvironment(authority);
  if (replaced.includes('${input:') || !URL.canParse(replaced)) {
    return { ...common, shown: replaced + rest, origin: replaced };
  }
  const url = new URL(replaced);
  // The value of a variable may continue after the host with a path or query, which may hold a secret.
  const isOriginOnly = url.pathname === '/' && url.search === '' && url.hash === '';
  const references = referencesIn(authority).map((reference) => reference.text);
  // A non-ASCII host is shown as it is looked up: `xn--…` looks like no other host.
  const isAsWritten = references.length === 0 && /^[\u0021-\u007e]*$/u.test(authority);
  const hidden = references.length === 0 || isOriginOnly ? '' : `/…${references.join('')}`;
  return { ...common, shown: isAsWritten ? text : url.origin + hidden + rest, origin: url.origin };
}

function parametersOf(query = ''): readonly string[] {
  return [...new URLSearchParams(query).keys()];
}

/** Where scheme, host and port end, in a text whose variables count as one character each. */
function endOfAuthority(text: string): number {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:[\\/]*/u.exec(text)?.[0] ?? '';
  const rest = /^(?:\$\{[^{}]*\}|[^\\/?#])*/u.exec(text.slice(scheme.length))?.[0] ?? '';
  return scheme.length + rest.length;
}
