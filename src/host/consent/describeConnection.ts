/**
 * `tls` and `proxy` of an entry as a consent dialog shows them, and the content that a consent is bound to: the
 * certificates of its authorities, since whoever can change their file decides who may pass for the server.
 */
import { certificatesIn, subjectOf } from '../config/certificates.ts';
import { connectionTexts } from '../config/launchContext.ts';
import { resolveAuthorities } from '../config/resolveConnection.ts';
import type { Resolving } from '../config/resolver.ts';
import type { HttpLaunch } from '../config/serverConfig.ts';
import type { LaunchFact, Risk } from './launchDescription.ts';
import { visible, visibleWhole } from './visible.ts';

export interface ConnectionDescription {
  readonly facts: readonly LaunchFact[];
  readonly risks: readonly Risk[];
  /** The authorities in PEM; absent where the entry names none. */
  readonly authorities?: readonly string[];
}

/**
 * @param resolving asks nobody
 * @param known puts into a text of the settings what is no secret
 * @throws McpError `invalidConfig` for authorities with which the start would fail
 */
export async function describeConnection(
  launch: HttpLaunch,
  resolving: Resolving,
  known: (text: string) => string,
): Promise<ConnectionDescription> {
  const { tls, proxy } = launch;
  const authorities = await resolveAuthorities(tls?.ca, resolving);
  const names = (authorities ?? []).map(({ pem }) =>
    visible(certificatesIn(pem).map(subjectOf).join('; ')),
  );
  // The authorities come first.
  const facts = connectionTexts(launch).map(({ field, text }, index) => {
    const authority = authorities?.[index];
    return authority === undefined
      ? fact(`${field}: ${visibleWhole(isPem(text) ? 'PEM' : known(text))}`)
      : fact(`${field}: ${visibleWhole(authority.file ?? 'PEM')} (${names[index] ?? ''})`);
  });
  return {
    facts: [
      ...facts,
      ...(tls?.insecure === true ? [fact('tls.insecure: true')] : []),
      ...(proxy === false ? [fact('proxy: false')] : []),
    ],
    risks: [
      ...(names.length === 0 ? [] : [risk('authority', names.join('; '))]),
      ...(typeof proxy === 'string' ? [risk('proxy', visible(known(proxy)))] : []),
      ...(tls?.insecure === true ? [risk('unchecked', '')] : []),
    ],
    ...(authorities === undefined ? {} : { authorities: authorities.map(({ pem }) => pem) }),
  };
}

function isPem(text: string): boolean {
  return text.includes('-----BEGIN');
}

function fact(value: string): LaunchFact {
  return { label: 'connection', value };
}

function risk(by: Extract<Risk, { kind: 'connection' }>['by'], text: string): Risk {
  return { kind: 'connection', by, text };
}
