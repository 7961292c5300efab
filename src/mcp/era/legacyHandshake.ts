/**
 * The opening handshake of revisions 2024-11-05 to 2025-11-25: `initialize`, the agreement on one revision,
 * `notifications/initialized`. Used for a first session and for one that replaces it.
 */
import { t } from '../../base/l10n.ts';
import { raceSignal } from '../../base/async.ts';
import { isObject, isString } from '../../base/json.ts';
import { McpError, abortedError, isMcpError, isRpcError, rpcCodes } from '../errors.ts';
import { type Revision, isRevision, revisions, revisionsNewestFirst } from '../revisions.ts';
import type { Peer } from '../rpc/rpcPeer.ts';
import { noCommonRevision } from './classify.ts';
import { declaredCapabilities } from './requestMeta.ts';
import { describeServer } from './serverDescription.ts';
import type { ClientOptions, ServerDescription } from '../session/session.ts';

/** The revisions we speak in this era, newest first. */
const legacyRevisions = revisionsNewestFirst.filter(
  (revision) => revisions[revision].era === 'legacy',
);

/**
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 * @throws McpError `unsupported` naming both sides' revisions when they share none; `protocol` for an
 *   invalid answer; otherwise the error of the request.
 */
export async function shakeHands(
  peer: Peer,
  transport: string,
  hello: ClientOptions,
  signal: AbortSignal,
): Promise<ServerDescription> {
  const { protocol } = hello;
  const spoken = isRevision(protocol) ? [protocol] : legacyRevisions;
  const answer = await initialize(peer, hello, spoken, signal);
  if (!isObject(answer)) {
    throw new McpError(
      'protocol',
      t('The server\'s result for "{0}" is not an object', 'initialize'),
    );
  }
  const revision = answer['protocolVersion'];
  if (!isRevision(revision) || !spoken.includes(revision)) {
    throw noCommonRevision(isString(revision) ? [revision] : [], spoken);
  }
  // Before `initialized` is sent, so that it carries the version header (HTTP-24).
  const { versionHeader, batches } = revisions[revision];
  peer.sessionReady({ revision, sendsVersionHeader: versionHeader, answersBatches: batches });
  await sendInitialized(peer, signal);
  return describeServer(answer, answer['serverInfo'], revision, transport);
}

/** Offers the newest revision. If the server refuses and names an older one that we speak, offers that one, once. */
async function initialize(
  peer: Peer,
  hello: ClientOptions,
  spoken: readonly Revision[],
  signal: AbortSignal,
): Promise<unknown> {
  const offer = (revision: Revision | undefined): Promise<unknown> =>
    peer.request(
      'initialize',
      {
        protocolVersion: revision,
        capabilities: declaredCapabilities(hello.features, 'legacy'),
        clientInfo: hello.client,
      },
      { signal, idleMs: hello.openMs, totalMs: Infinity, isCancellable: false },
    );
  try {
    return await offer(spoken[0]);
  } catch (error) {
    const supported = refusedRevisions(error);
    if (supported === undefined) {
      throw error;
    }
    const common = spoken.find((revision) => supported.includes(revision));
    if (common === undefined || common === spoken[0]) {
      throw noCommonRevision(supported, spoken, error);
    }
    return offer(common);
  }
}

/** The revisions that the server supports, when it refused ours (LIFE-09). */
function refusedRevisions(error: unknown): readonly string[] | undefined {
  if (!isRpcError(error) || error.rpcCode !== rpcCodes.invalidParams || !isObject(error.data)) {
    return undefined;
  }
  const supported = error.data['supported'];
  return Array.isArray(supported) ? supported.filter(isString) : undefined;
}

async function sendInitialized(peer: Peer, signal: AbortSignal): Promise<void> {
  try {
    // Over HTTP it ends when the server accepts it, which may be never.
    await raceSignal(peer.notify('notifications/initialized'), signal);
  } catch (error) {
    if (signal.aborted) {
      throw abortedError(signal, 'The handshake');
    }
    // Hand-written HTTP servers refuse every notification but still serve requests.
    if (!isMcpError(error) || (error.code !== 'http' && error.code !== 'rpc')) {
      throw error;
    }
    peer.diagnose('warn', `The server refused "notifications/initialized": ${error.message}`);
  }
}
