/**
 * What one attempt to reach a server says about the next: the answer to `server/discover` tells the era, a
 * failure tells whether to try another binding. Pure; callers keep the counters.
 *
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import { t } from '../../base/l10n.ts';
import { type JsonObject, isObject, isStringArray } from '../../base/json.ts';
import { truncated } from '../../base/text.ts';
import {
  type HttpError,
  McpError,
  httpErrorIn,
  isHttpError,
  isRpcError,
  isTransientStatus,
  rpcCodes,
} from '../errors.ts';
import { extensionIds } from '../extensions.ts';
import { type Revision, isRevision, revisions, revisionsNewestFirst } from '../revisions.ts';
import type { Channel } from '../session/session.ts';

/**
 * `nextBinding`: the server is there but does not support this transport. `stop`: another binding would
 * fail in the same way, or hide the real cause.
 */
export type NextStep = 'nextBinding' | 'stop';

/**
 * 400, 404 and 405 are how a server refuses a transport that it does not have
 * (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#httpsse-transport-2024-11-05),
 * unless the body is an error of the modern era; 401, 403 and 5xx have other causes.
 */
export function classify(error: McpError): NextStep {
  const refusal = isRpcError(error) ? error.cause : error;
  const isRefused = isHttpError(refusal) && [400, 404, 405].includes(refusal.status);
  return isRefused && !showsModernEra(error) ? 'nextBinding' : 'stop';
}

/** The server, or a proxy before it, is temporarily out of order or overloaded. */
export function isUnavailable(error: McpError): boolean {
  const answer = httpErrorIn(error);
  return answer !== undefined && isTransientStatus(answer.status);
}

/** The server works and replied, if not as asked. An outage or a refusal for another reason is not a reply. */
export function isReply(error: McpError): boolean {
  return (
    !isUnavailable(error) &&
    (isHttpError(error)
      ? error.code === 'http'
      : ['rpc', 'protocol', 'unsupported'].includes(error.code))
  );
}

/** A reply, or a closed connection: some programs exit when they get an unknown message. */
export function showsWorkingServer(error: McpError): boolean {
  return error.code === 'closed' || isReply(error);
}

export type ProbeOutcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: McpError }
  | { readonly kind: 'silent' };

export type Verdict =
  | { readonly go: 'modern'; readonly revision: Revision; readonly result: JsonObject }
  /** The server names a revision that we speak: ask again in that revision. */
  | { readonly go: 'again'; readonly revision: Revision; readonly because: McpError }
  /** Nothing shows the modern era: only now may the legacy era be tried (ERA-03). */
  | { readonly go: 'otherEra'; readonly because: McpError }
  /** Says nothing about the era, and may be temporary (ERA-05). */
  | { readonly go: 'retry'; readonly because: McpError }
  | { readonly go: 'fail'; readonly error: McpError };

/** @param ours the revisions we speak in this era, newest first */
export function judgeProbe(
  outcome: ProbeOutcome,
  { wire }: Pick<Channel, 'wire'>,
  ours: readonly Revision[],
): Verdict {
  switch (outcome.kind) {
    case 'result':
      return judgeResult(outcome.value, ours);
    case 'silent':
      return {
        go: 'otherEra',
        because: new McpError('timeout', t('The server did not answer "server/discover"')),
      };
    case 'error':
      return judgeError(outcome.error, wire, ours);
  }
}

function judgeResult(value: unknown, ours: readonly Revision[]): Verdict {
  const result: JsonObject = isObject(value) ? value : {};
  const supported = result['supportedVersions'];
  const isComplete = (result['resultType'] ?? 'complete') === 'complete';
  if (!isStringArray(supported) || !isComplete) {
    const message = `The server's result for "server/discover" is not valid`;
    return { go: 'otherEra', because: new McpError('protocol', message) };
  }
  const revision = choose(supported, ours);
  if (revision !== undefined) {
    return { go: 'modern', revision, result };
  }
  const error = noCommonRevision(supported, ours);
  return supported.length > 0 && supported.every(isOlder)
    ? { go: 'otherEra', because: error }
    : { go: 'fail', error };
}

function judgeError(error: McpError, wire: Channel['wire'], ours: readonly Revision[]): Verdict {
  const supported = supportedBy(error);
  if (supported !== undefined) {
    const revision = choose(supported, ours);
    if (revision !== undefined) {
      return { go: 'again', revision, because: error };
    }
    return supported.length > 0 && supported.every(isOlder)
      ? { go: 'otherEra', because: error }
      : { go: 'fail', error: noCommonRevision(supported, ours, error) };
  }
  const required = requiredCapabilities(error);
  if (required !== undefined) {
    return { go: 'fail', error: missingCapabilities(required, error) };
  }
  if (wire === 'http') {
    return judgeHttpError(error);
  }
  const isAnswer = ['rpc', 'protocol', 'closed'].includes(error.code);
  return isAnswer ? { go: 'otherEra', because: error } : { go: 'fail', error };
}

function judgeHttpError(error: McpError): Verdict {
  if (isHttpError(error)) {
    return judgeStatus(error);
  }
  if (isRpcError(error) && error.rpcCode === rpcCodes.headerMismatch) {
    const message = t(
      'Something on the way to the server changes the headers of requests: {0}',
      error.message,
    );
    return { go: 'fail', error: new McpError('protocol', message, { cause: error }) };
  }
  // A network failure, or silence, says nothing about the server.
  const isAnswer = error.code === 'rpc' || error.code === 'protocol';
  return isAnswer ? { go: 'otherEra', because: error } : { go: 'fail', error };
}

function judgeStatus(error: HttpError): Verdict {
  const { status } = error;
  if (status === 401 || status === 403 || (status >= 300 && status <= 399)) {
    return { go: 'fail', error };
  }
  return { go: isTransientStatus(status) ? 'retry' : 'otherEra', because: error };
}

/** Whether an error to `initialize` shows a modern server: by its code, or by naming a revision (VER-10). */
export function showsModernEra(error: McpError): boolean {
  if (!isRpcError(error)) {
    return isRpcError(error.cause) && showsModernEra(error.cause);
  }
  const text = `${error.message} ${JSON.stringify(error.data) ?? ''}`;
  return (
    requiredCapabilities(error) !== undefined ||
    revisionsNewestFirst.some(
      (revision) => revisions[revision].era === 'modern' && text.includes(revision),
    )
  );
}

/** The revisions in a -32022 error; undefined for other errors (ERA-02). */
export function supportedBy(error: unknown): readonly string[] | undefined {
  if (!isRpcError(error) || error.rpcCode !== rpcCodes.unsupportedProtocolVersion) {
    return undefined;
  }
  const supported = isObject(error.data) ? error.data['supported'] : undefined;
  return isStringArray(supported) ? supported : undefined;
}

/** The names in a -32021 error, including extensions; undefined for other errors (ERA-02). */
export function requiredCapabilities(error: unknown): readonly string[] | undefined {
  if (!isRpcError(error) || error.rpcCode !== rpcCodes.missingClientCapability) {
    return undefined;
  }
  const required = isObject(error.data) ? error.data['requiredCapabilities'] : undefined;
  return isObject(required)
    ? Object.entries(required).flatMap(([name, value]) =>
        name === 'extensions' && isObject(value) ? Object.keys(value) : [name],
      )
    : undefined;
}

/** META-06. Every request declares all capabilities that we have, so asking again would not help. */
export function missingCapabilities(names: readonly string[], cause: McpError): McpError {
  const list = names.length === 0 ? cause.message : names.join(', ');
  const hint = extensionIds.some((id) => names.includes(id))
    ? t('. Protocol extensions are off until a setting turns them on')
    : '';
  return new McpError(
    'unsupported',
    t(
      'The server requires what this client does not offer or what is turned off for it: {0}',
      list,
    ) + hint,
    { cause },
  );
}

/** The newest revision that both speak; unknown names are ignored. */
export function choose(
  supported: readonly string[],
  ours: readonly Revision[],
): Revision | undefined {
  return ours.find((own) => supported.includes(own));
}

/** Also true for dates of revisions that we never spoke. */
function isOlder(name: string): boolean {
  return isRevision(name)
    ? revisions[name].era === 'legacy'
    : /^20\d\d-\d\d-\d\d$/u.test(name) && name < '2026';
}

/** Limits: revisions of a server that an error lists, and characters of all of them. */
const maxNamed = 10;
const maxNamedChars = 200;

/** For either era. @param theirs the server's revisions, if it names them */
export function noCommonRevision(
  theirs: readonly string[],
  ours: readonly Revision[],
  cause?: unknown,
): McpError {
  const shown = truncated(theirs.slice(0, maxNamed).join(', '), maxNamedChars);
  return new McpError(
    'unsupported',
    t(
      'No common protocol revision: the server speaks {0}; this client offered {1}',
      shown === '' ? t('none that it names') : shown,
      ours.join(', '),
    ),
    { cause },
  );
}

/**
 * The status of a legacy server for a modern request, and of a URL where there is no server any more. Every
 * other status is about the one request.
 */
export function isNoEndpoint(status: number): boolean {
  return [400, 404, 405, 410].includes(status);
}
