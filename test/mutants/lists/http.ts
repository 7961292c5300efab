/** Streamable HTTP of both eras, and HTTP+SSE. */
import type { Changes } from '../mutant.ts';

export const httpMutants: Changes = {
  'src/mcp/transport/http/httpSession.ts': {
    'session-id-of-any-bytes: HTTP-21': 'if («!visibleAscii.test(id)→false») {',
    'session-id-not-sent: HTTP-20': `«this.#carry({ ...this.#headers, 'mcp-session-id': id });→»`,
    'revision-header-not-sent: HTTP-24': `«this.#carry({ ...this.#headers, 'mcp-protocol-version': revision });→»`,
    'session-id-in-errors: HTTP-21': `text«.replaceAll(this.#id, '…')→»`,
    'forgotten-id-still-sent: HTTP-22': '«this.#carry(this.#settings);→»',
    'posts-accept-json-alone: HTTP-02': `'application/json«, text/event-stream→»'`,
  },
  'src/mcp/transport/http/sseStream.ts': {
    'stream-of-any-status: HTTP-11': "if («status === 200 && →»type === 'text/event-stream') {",
    'push-lost-without-session: TRAP-13':
      'const isLost = «session.id !== undefined && →»isSessionLoss',
    'push-accepts-json: HTTP-10': `accept: '«text/event-stream→application/json»',`,
    'resumes-from-nowhere: HTTP-15': `«...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),→»`,
    'retry-of-server-ignored: HTTP-18': 'return Math.max(«retryMs ?? 0, →»leastMs, putOffMs);',
    'reconnects-without-growing-pause: HTTP-13':
      '«Math.min(maxDelayMs, limits.firstDelayMs * 2 ** Math.max(0, failures))→limits.firstDelayMs»',
    'retry-makes-failures-frequent: HTTP-18':
      'retryMs === undefined «|| failures > 0 →»? ownMs : minDelayMs',
    'event-of-endless-lines: While it runs':
      '« + lineBytes * (chunk.match(/[\\r\\n]/gu)?.length ?? 0)→»',
    'event-beyond-memory-read: Memory':
      'if («held?.set(bytes) === false || isTooLarge→isTooLarge») {',
    'taken-event-stays-counted: Memory': '«held?.set(0);→»',
    'overlapping-events-are-one: While it runs': '«pendingBytes = 0;\n      →»position.events',
    'event-without-id-moves-position: HTTP-17': '«position.lastEventId = toHeaderValue(id);→»',
    'other-events-are-messages: HTTP-06': `if («event !== 'message'→false») {`,
    'endless-event-asked-for-again: HTTP-15': '«position.lastEventId = undefined;→»\n      const',
    'empty-event-is-message: TRAP-17': `} else «if (data !== '') →»{`,
    'event-id-of-any-length: HTTP-15': `if («id === '' || id.length > maxIdChars→false») {`,
  },
  'src/mcp/transport/http/httpPushStream.ts': {
    'push-asked-for-after-405: HTTP-11': `    return '«over→failed»';\n  }\n`,
    'gap-in-push-not-told: HTTP-13':
      'const mayHaveMissed = «!this.#wasOpen || this.#position.lastEventId === undefined→false»;',
    'push-that-worked-given-up: HTTP-13': 'if («!this.#wasOpen && →»failures === maxFailures) {',
    'lost-session-at-first-push: HTTP-11': `if (opened.kind === 'lost' && «this.#wasOpen && →»(await this.#context.endIfLost())) {`,
    'eventless-streams-without-pause: HTTP-13': `outcome === 'ended'« && this.#position.events > seen→» ?`,
  },
  'src/mcp/transport/http/httpReplyStream.ts': {
    'reply-resumed-without-id: HTTP-07': 'if («this.#position.lastEventId === undefined→false») {',
    'failures-of-a-resumption-add-up: HTTP-07':
      "if (opened.kind === 'open') {\n        «failures = 0;→»",
    'resumed-for-ever: HTTP-07':
      'if («failures === maxFailures || (this.#position.putOffMs ?? 0) > maxWaitMs→false») {',
  },
  'src/mcp/transport/http/httpExchange.ts': {
    'redirect-that-loses-the-body: HTTP-01':
      'if («status === 307 || status === 308→[302, 307, 308].includes(status ?? 0)») {',
    'token-not-sent: AUTH-30': '{ ...ofRequest«, ...signedIn→» }',
    'notification-waits-for-ever: TIME-01':
      'const limit = after(limitMs, () => «tooLate.abort()→undefined»);',
  },
  'src/mcp/transport/http/httpErrors.ts': {
    'redirect-to-another-origin: SEC-06': 'if («target.origin !== from.origin→false») {',
    'redirects-for-ever: SEC-06': 'if («redirects === maxRedirects→false») {',
    'unknown-method-ends-session: HTTP-22':
      'return «error?.code !== rpcCodes.methodNotFound && !isOfRequest→true»;',
    'refused-revision-ends-session: HTTP-26': '«!ofVersion.test(error.message)→true»',
    'answered-400-ends-session: HTTP-26': '«id === null && →»error.code === -32_000',
    '401-like-any-status: AUTH-34': 'if («status === 401→false») {',
    'refusal-without-its-error: HTTP-03': 'if («failure === undefined→true») {',
  },
  'src/mcp/transport/http/httpSignedIn.ts': {
    'farewell-asks-to-sign-in: HTTP-23': `« || this.#request.method === 'DELETE'→»`,
    'challenge-for-500: AUTH-03':
      'const isRefusal = «status === 401 || status === 403→status !== undefined && status >= 400»;',
  },
  'src/mcp/transport/http/httpRetryAfter.ts': {
    'waits-as-long-as-asked: While it runs':
      'return waitMs« !== undefined && waitMs <= maxWaitMs ? waitMs : undefined→»;',
    'waits-for-ever: While it runs': 'maxWaits = «2→1_000»;',
    'sent-again-after-any-status: HTTP-14':
      'const isPutOff = «statusCode === 429 || statusCode === 503→true»;',
  },
  'src/mcp/transport/http/httpBody.ts': {
    'large-body-read: While it runs': 'const isTooLarge = «pieces.length > maxMessageBytes→false»;',
    'broken-body-is-whole: HTTP-07': '«response.readableEnded→true»\n',
    'body-beyond-memory-read: Memory': 'if (isTooLarge« || !hasRoom→») {',
    'ignored-body-for-ever: HTTP-03':
      'const limit = after(limitMs, () => «response.destroy()→undefined»);',
    'media-type-with-parameters: HTTP-04': '«(end === -1 ? type : type.slice(0, end))→type»',
  },
  'src/mcp/transport/http/streamableHttp.ts': {
    'session-not-deleted: HTTP-23': 'if («id !== undefined && !isLost→false») {',
    'lost-session-deleted: HTTP-23': 'if (id !== undefined« && !isLost→») {',
    'answer-on-another-stream-unseen: TRAP-18': '«this.#replyStreams.get(id)?.answered();→»',
    'loss-without-session: TRAP-13': '«session.id !== undefined && →»errors.isSessionLoss(refusal)',
    'nothing-pushed: HTTP-09': '«this.#listen(context);→»',
    'session-lost-twice: HTTP-22': 'if («this.#isInUse(session)→true») {\n      this.#lastLossAt',
    'id-in-quoted-body: HTTP-21':
      'const redact = (start: string): string => «session.redact(start)→start»;',
    'second-loss-believed: HTTP-22': '«performance.now() - this.#lastLossAt < doubtMs→false»',
  },
  'src/mcp/transport/http/sessionLoss.ts': {
    'silence-is-loss: HTTP-22':
      'return «false; // the next request in the session finds out→true;»',
  },
  'src/mcp/transport/http/httpSettings.ts': {
    'own-headers-overridden: HTTP-28': 'if («!ownNames.has(name.toLowerCase())→true») {',
    'password-in-url: AUTH-30': `if («url.username !== '' || url.password !== ''→false») {`,
    'any-scheme: SEC-08':
      'if («url.protocol !== `${scheme}:` && url.protocol !== `${scheme}s:`→false») {',
  },
  'src/mcp/transport/http/sse.ts': {
    'endpoint-of-another-origin: SSE-03': 'if («target.origin !== url.origin→false») {',
    'second-endpoint-taken: SSE-02': 'if («this.#inbox === undefined→true») {',
    'sse-without-revision-header: HTTP-24': `«this.#headers = { ...this.#headers, 'mcp-protocol-version': agreed.revision };→»`,
    'answer-waits-for-its-receipt: SSE-04': `«this.#untaken.get(message.id ?? '')?.();→»`,
  },
  'src/mcp/transport/http/modernHttp.ts': {
    'batch-of-modern-server: TRAP-07': 'if («batch !== undefined→false») {',
    'reply-of-another-request: HTTP-11 (2026)':
      'if («answers !== undefined && answers !== during→false») {',
    'settings-mirror-names: HTTP-06 (2026)':
      'headers: «withoutMirrors(options.headers)→options.headers»',
    'method-header-not-sent: HTTP-05 (2026)':
      '{ ...session.headers, ...«ofMessage, ...ofEveryPost→ofEveryPost» }',
    'cancels-by-message: CAN-03': 'override readonly cancelsByClosing = «true→false»;',
  },
};
