/** `oauth` of an entry as a consent dialog shows it. */
import { oauthTexts } from '../config/launchContext.ts';
import type { HttpLaunch, OAuthEntry } from '../config/serverConfig.ts';
import type { LaunchFact, Risk } from './launchDescription.ts';
import { visible, visibleWhole } from './visible.ts';

/** @param known puts into a text of the settings what is no secret */
export function describeSignIn(
  { oauth = false }: HttpLaunch,
  known: (text: string) => string,
): { readonly facts: readonly LaunchFact[]; readonly risks: readonly Risk[] } {
  const { grant, provider, assertionFile }: Partial<OAuthEntry> = oauth === false ? {} : oauth;
  const words = [
    ...(grant === undefined || grant === 'authorizationCode' ? [] : [['oauth.grant', grant]]),
    ...(provider === undefined ? [] : [['oauth.provider', provider]]),
    ...oauthTexts(oauth).map(({ field, text }) => [field, known(text)]),
  ];
  return {
    facts: words.map((pair) => ({ label: 'signIn', value: visibleWhole(pair.join(': ')) })),
    risks:
      assertionFile === undefined
        ? []
        : [{ kind: 'fileSent', path: visible(known(assertionFile)) }],
  };
}
