/** A server that is reached by URL, as a consent shows it: address, headers, proxy and TLS, sign-in. */
import { environmentValue } from './launchContext.ts';
import { looksSecret } from './secrets.ts';
import type { HttpLaunch, ServerConfig } from '../config/serverConfig.ts';
import { referencesIn } from '../config/variables.ts';
import { describeConnection } from './describeConnection.ts';
import { type Described, type Describing, fact } from './describing.ts';
import { describeSignIn } from './describeSignIn.ts';
import { httpRisks, isOnThisMachine } from './risks.ts';
import { describeUrl } from './urlDescription.ts';
import { visible, visibleWhole } from '../../base/visible.ts';

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
  const signIn = describeSignIn(launch, (value) => describing.known(value));
  const connection = await describeConnection(server, describing);
  return {
    facts: [
      fact('url', visibleWhole(url.shown)),
      ...(launch.type === undefined ? [] : [fact('transport', launch.type)]),
      ...(url.isSocket ? [fact('socket', visibleWhole(url.origin))] : []),
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
      ...(url.isSocket ? { socket: url.origin } : {}),
      headers: Object.fromEntries(headers),
      connection: connection.facts,
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
