/** `oauth` of an entry as a consent shows it. */
import type { HttpLaunch, OAuthEntry } from '../config/serverConfig.ts';
import { type Described, fact } from './describing.ts';
import { visible, visibleWhole } from '../../base/visible.ts';

/** @param known replaces the variables of a text that are no secrets */
export function describeSignIn({ oauth }: HttpLaunch, known: (text: string) => string): Described {
  if (oauth === undefined) {
    return { facts: [], risks: [] };
  }
  if (oauth === false) {
    return { facts: [fact('signIn', 'oauth: false')], risks: [] };
  }
  const { assertionFile } = oauth;
  return {
    facts: leaves('oauth', withoutDefaults(oauth)).map(([field, text]) =>
      fact('signIn', visibleWhole(`${field}: ${known(text)}`)),
    ),
    risks:
      assertionFile === undefined
        ? []
        : [{ kind: 'fileSent', path: visible(known(assertionFile)) }],
  };
}

function withoutDefaults({ grant, dpop, ...fields }: OAuthEntry): object {
  return {
    ...(grant !== 'authorizationCode' && { grant }),
    ...(dpop && { dpop }),
    ...fields,
  };
}

/** Every value with its path, so that no field is left out. */
function leaves(path: string, value: unknown): readonly (readonly [path: string, text: string])[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => leaves(`${path}[${index}]`, item));
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(`${path}.${name}`, inner))
    : [[path, String(value)]];
}
