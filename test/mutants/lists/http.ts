/** Streamable HTTP of both eras, and HTTP+SSE. */
import { mutantsOf } from '../mutant.ts';

const unit = 'unit/mcp/transport/http';
const session = 'protocol/streamableHttpSession.test.ts';
const streams = 'protocol/streamableHttpStreams.test.ts';
const posts = 'protocol/streamableHttpPost.test.ts';
const connections = 'protocol/streamableHttpConnections.test.ts';
const modern = 'protocol/modernHttp.test.ts';
const sse = 'protocol/sse.test.ts';

export const httpMutants = [
  ...mutantsOf(
    'src/mcp/transport/http/httpSession.ts',
    [`${unit}/httpSession.test.ts`, session],
    [
      ['session-id-of-any-bytes', 'HTTP-21', 'if (!visibleAscii.test(id)) {', 'if (false) {'],
      [
        'session-id-not-sent',
        'HTTP-20',
        `this.#carry({ ...this.#headers, 'mcp-session-id': id });`,
        '',
      ],
      [
        'revision-header-not-sent',
        'HTTP-24',
        `this.#carry({ ...this.#headers, 'mcp-protocol-version': revision });`,
        '',
      ],
      ['session-id-in-errors', 'HTTP-21', `text.replaceAll(this.#id, '…')`, 'text'],
      [
        'posts-accept-json-alone',
        'HTTP-02',
        `'application/json, text/event-stream'`,
        `'application/json'`,
        [posts],
      ],
      ['forgotten-id-still-sent', 'HTTP-22', 'this.#carry(this.#settings);', ''],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/streamReconnect.ts',
    [streams],
    [
      [
        'push-accepts-json',
        'HTTP-10',
        `accept: 'text/event-stream',`,
        `accept: 'application/json',`,
      ],
      [
        'resumes-from-nowhere',
        'HTTP-15',
        `...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),`,
        '',
      ],
      [
        'retry-of-server-ignored',
        'HTTP-18',
        'return Math.max(retryMs ?? 0, leastMs, putOffMs);',
        'return Math.max(leastMs, putOffMs);',
      ],
      [
        'reconnects-without-growing-pause',
        'HTTP-13',
        'Math.min(maxDelayMs, limits.firstDelayMs * 2 ** Math.max(0, failures))',
        'limits.firstDelayMs',
        [`${unit}/httpPushStream.test.ts`, streams],
      ],
      [
        'retry-makes-failures-frequent',
        'HTTP-18',
        'retryMs === undefined || failures > 0 ? ownMs : minDelayMs',
        'retryMs === undefined ? ownMs : minDelayMs',
        [`${unit}/httpPushStream.test.ts`, streams],
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpPushStream.ts',
    [`${unit}/httpPushStream.test.ts`, streams],
    [
      [
        'push-asked-for-after-405',
        'HTTP-11',
        `    return 'over';\n  }\n`,
        `    return 'failed';\n  }\n`,
      ],
      [
        'gap-in-push-not-told',
        'HTTP-13',
        'const mayHaveMissed = !this.#wasOpen || this.#position.lastEventId === undefined;',
        'const mayHaveMissed = false;',
      ],
      [
        'lost-session-at-first-push',
        'HTTP-11',
        'if (this.#wasOpen && (await this.#context.endIfLost())) {',
        'if (await this.#context.endIfLost()) {',
        [session, streams],
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpReplyStream.ts',
    [streams],
    [
      [
        'reply-resumed-without-id',
        'HTTP-07',
        'if (this.#position.lastEventId === undefined) {',
        'if (false) {',
      ],
      [
        'resumed-for-ever',
        'HTTP-07',
        'if (failures === maxFailures || (this.#position.putOffMs ?? 0) > maxWaitMs) {',
        'if (false) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/sseStream.ts',
    [`${unit}/sseStream.test.ts`, streams],
    [
      [
        'event-of-endless-lines',
        'While it runs',
        'if (text.length > maxEventLines && ',
        'if (false && ',
      ],
      [
        'event-without-id-moves-position',
        'HTTP-17',
        'position.lastEventId = toHeaderValue(id);',
        '',
      ],
      ['other-events-are-messages', 'HTTP-06', `if (event !== 'message') {`, 'if (false) {'],
      ['skipped-event-loses-position', 'HTTP-15', 'if (id !== undefined) {', 'if (false) {'],
      ['endless-event-asked-for-again', 'HTTP-15', 'if (events.isSkipping) {', 'if (false) {'],
      [
        'return-is-no-end-of-line',
        'HTTP-06',
        'if (bytes.includes(carriageReturn)) {',
        'if (false) {',
      ],
      ['skipped-event-answers-nobody', 'While it runs', 'onData(JSON.stringify(reply));', ''],
      ['empty-event-is-message', 'TRAP-17', `} else if (data !== '') {`, '} else {'],
      [
        'event-id-of-any-length',
        'HTTP-15',
        `if (id === '' || id.length > maxIdChars) {`,
        'if (false) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpExchange.ts',
    [`${unit}/httpExchange.test.ts`, posts, connections],
    [
      [
        'redirect-to-another-origin',
        'SEC-06',
        'if (target.origin !== this.url.origin) {',
        'if (false) {',
      ],
      ['redirects-for-ever', 'SEC-06', 'if (redirects === maxRedirects) {', 'if (false) {'],
      [
        'redirect-that-loses-the-body',
        'HTTP-01',
        'if (response.statusCode !== 307 && response.statusCode !== 308) {',
        'if (![302, 307, 308].includes(response.statusCode ?? 0)) {',
      ],
      ['moved-endpoint-forgotten', 'HTTP-01', 'if (response.statusCode === 308) {', 'if (false) {'],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpSignedIn.ts',
    [
      `${unit}/httpExchange.test.ts`,
      'protocol/authChannels.test.ts',
      'protocol/authSignIn.test.ts',
    ],
    [
      [
        'token-not-sent',
        'AUTH-30',
        '{ ...request, headers: { ...request.headers, ...sent } }',
        'request',
      ],
      [
        'farewell-asks-to-sign-in',
        'HTTP-23',
        ` || request.method === 'DELETE'`,
        '',
        [`${unit}/httpSignedIn.test.ts`],
      ],
      [
        'challenge-for-500',
        'AUTH-03',
        'if (status !== 401 && status !== 403) {',
        'if (status === undefined || status < 400) {',
        [`${unit}/httpSignedIn.test.ts`],
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpRetryAfter.ts',
    ['protocol/retryAfter.test.ts'],
    [
      [
        'waits-as-long-as-asked',
        'While it runs',
        'return waitMs !== undefined && waitMs <= maxWaitMs ? waitMs : undefined;',
        'return waitMs;',
      ],
      ['waits-for-ever', 'While it runs', 'waits < maxWaits', 'waits < 1_000'],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpBody.ts',
    [`${unit}/httpExchange.test.ts`, posts],
    [
      [
        'large-body-read',
        'While it runs',
        'const isTooLarge = pieces.length > maxMessageBytes;',
        'const isTooLarge = false;',
        [`${unit}/httpBody.test.ts`],
      ],
      [
        'broken-body-is-whole',
        'HTTP-07',
        'response.readableEnded\n',
        'true\n',
        [`${unit}/httpBody.test.ts`],
      ],
      [
        'body-beyond-memory-read',
        'Memory',
        'if (isTooLarge || !hasRoom) {',
        'if (isTooLarge) {',
        [`${unit}/httpBody.test.ts`],
      ],
      [
        'ignored-body-for-ever',
        'HTTP-03',
        'const limit = after(limitMs, () => response.destroy());',
        'const limit = after(limitMs, () => undefined);',
        [connections, posts],
      ],
      ['media-type-with-parameters', 'HTTP-04', '(end === -1 ? type : type.slice(0, end))', 'type'],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpErrors.ts',
    [`${unit}/httpErrors.test.ts`],
    [
      [
        'unknown-method-ends-session',
        'HTTP-22',
        'return error?.code !== rpcCodes.methodNotFound && !isOfRequest;',
        'return true;',
      ],
      [
        'refused-revision-ends-session',
        'HTTP-26',
        '!/protocol.?version/iu.test(error.message)',
        'true',
      ],
      ['answered-400-ends-session', 'HTTP-26', '    id === null &&\n', ''],
      ['401-like-any-status', 'AUTH-34', 'if (status === 401) {', 'if (false) {'],
      ['refusal-without-its-error', 'HTTP-03', 'if (failure !== undefined) {', 'if (false) {'],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/streamableHttp.ts',
    [session, streams, posts],
    [
      ['session-not-deleted', 'HTTP-23', 'if (id === undefined || isLost) {', 'if (true) {'],
      [
        'lost-session-deleted',
        'HTTP-23',
        'if (id === undefined || isLost) {',
        'if (id === undefined) {',
      ],
      ['answer-on-another-stream-unseen', 'TRAP-18', 'stream?.answered();', ''],
      ['nothing-pushed', 'HTTP-09', 'this.#isPushDue = true;', '', [streams]],
      [
        'loss-without-session',
        'TRAP-13',
        'session.id !== undefined && errors.isSessionLoss(refusal)',
        'errors.isSessionLoss(refusal)',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/sessionLoss.ts',
    [`${unit}/sessionLoss.test.ts`, session],
    [
      [
        'second-loss-believed',
        'HTTP-22',
        'return performance.now() - this.#lastAt >= doubtMs;',
        'return true;',
      ],
      [
        'silence-is-loss',
        'HTTP-22',
        'return false; // the next request in the session finds out',
        'return true;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpPost.ts',
    [posts, session],
    [
      [
        'notification-waits-for-ever',
        'TIME-01',
        'const limit = after(limitMs, () => tooLate.abort());',
        'const limit = after(limitMs, () => undefined);',
        [posts, connections],
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/httpSettings.ts',
    [posts, connections, session],
    [
      [
        'own-headers-overridden',
        'HTTP-28',
        'if (!ownNames.has(name.toLowerCase())) {',
        'if (true) {',
      ],
      [
        'password-in-url',
        'AUTH-30',
        `if (url.username !== '' || url.password !== '') {`,
        'if (false) {',
      ],
      [
        'any-scheme',
        'SEC-08',
        'if (url.protocol !== `${scheme}:` && url.protocol !== `${scheme}s:`) {',
        'if (false) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/sse.ts',
    [sse],
    [
      [
        'endpoint-of-another-origin',
        'SSE-03',
        'if (target.origin !== url.origin) {',
        'if (false) {',
      ],
      ['second-endpoint-taken', 'SSE-02', 'if (this.#inbox === undefined) {', 'if (true) {'],
      [
        'sse-without-revision-header',
        'HTTP-24',
        `this.#headers = { ...this.#headers, 'mcp-protocol-version': agreed.revision };`,
        '',
      ],
      ['answer-waits-for-its-receipt', 'SSE-04', `this.#untaken.get(message.id ?? '')?.();`, ''],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/http/modernHttp.ts',
    [modern],
    [
      [
        'replies-to-modern-server',
        'BASE-04 (2026)',
        `if (!('method' in message)) {`,
        'if (false) {',
      ],
      ['batch-of-modern-server', 'TRAP-07', 'if (batch === undefined) {', 'if (true) {'],
      [
        'reply-of-another-request',
        'HTTP-11 (2026)',
        'if (answers !== undefined && answers !== during) {',
        'if (false) {',
      ],
      ['settings-mirror-names', 'HTTP-06 (2026)', 'withoutMirrors(this.settings)', 'this.settings'],
      [
        'method-header-not-sent',
        'HTTP-05 (2026)',
        '{ ...this.#sentSettings, ...ofMessage, ...ofEveryPost }',
        '{ ...this.#sentSettings, ...ofEveryPost }',
      ],
      [
        'cancels-by-message',
        'CAN-03',
        'override readonly cancelsByClosing = true;',
        'override readonly cancelsByClosing = false;',
      ],
    ],
  ),
];
