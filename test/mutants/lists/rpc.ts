/** Requests, replies and their limits, whatever the channel. */
import type { Changes } from '../mutant.ts';

export const rpcMutants: Changes = {
  'src/mcp/rpc/rpcPeer.ts': {
    'same-id-twice: BASE-03': 'const id = this.#nextId«++→»;',
    'given-up-in-silence: HTTP-08':
      'if («request.options.isCancellable !== false && !this.#transport.cancelsByClosing→false») {',
    'handshake-cancelled: CANC-02':
      'if («request.options.isCancellable !== false && →»!this.#transport.cancelsByClosing) {',
    'progress-extends-nothing: TIME-03': '«request.lastSignAt = performance.now();→»',
    'one-token-for-all: PROG-01': `(options.onProgress && «id→'progress'»)`,
    'error-without-id-lost: BASE-07': 'this.#pending.take(response.id« ?? during→»)',
    'close-leaves-requests: STDIO-08': 'for (const request of «this.#pending.takeAll()→[]») {',
    'foreign-error-takes-any-request: ERA-03':
      'isItsOwn« && only?.options.isProbe === true→ && only» ?',
    'heard-after-the-end: STDIO-08': 'batch }: Inbound): void {\n    if («this.#isClosed→false») {',
    'progress-without-number-extends: TIME-03': `if («typeof params['progress'] !== 'number'→false»)`,
  },
  'src/mcp/rpc/inboundRequests.ts': {
    'batch-answered-in-any-revision: TRAP-07':
      'if (batch === undefined« || !this.answersBatches→») {',
    'ping-unanswered: PING-01': `} else if («method === 'ping'→false») {`,
    'requests-without-limit: HOST-08':
      '} else if («this.#running.size + this.#unsent >= maxRunning→false») {',
    'early-requests-lost: LIFE-05': '«this.#accepting.resolve(handlers);→»',
    'unknown-method-is-fault: CAP-05':
      'failure(id, { code: rpcCodes.«methodNotFound→internalError», message });',
    'taken-back-runs-on: CANC-03': '«running.controller.abort();→»',
    'taken-back-is-answered: CANC-03': 'if («this.#running.get(id) === running→true») {',
    'request-beyond-memory-kept: Memory': 'if («memory?.set(heapBytes(params)) === →»false) {',
    'modern-server-asks: BASE-05 (2026)': 'if («this.isDropping→false») {',
    'taken-back-before-it-runs: CANC-03': 'if («signal.aborted→false») {\n      return;',
    'fault-told-to-server: SEC-11': `{ code: rpcCodes.internalError, message: «'Internal error'→String(error)» }`,
    'second-request-of-one-id: BASE-03': '} else if («this.#running.has(id)→false») {',
    'unread-replies-without-limit: HOST-08': '} else if («this.#unsent >= maxRunning→false») {',
    'empty-array-for-notifications: BASE-09': 'if (open === 0« && replies.length > 0→») {',
    'batch-answered-too-early: BASE-09': 'if («open === 0 && →»replies.length > 0) {',
    'progress-of-what-was-taken-back: PROG-05':
      "«signal.addEventListener('abort', () => reports.dispose());→»",
    'ping-refused-when-busy: PING-01': `method === 'ping'«→ && this.#running.size < maxRunning»`,
    'unaccepted-request-stops-limit: TIME-01':
      'return «this.#handlers !== undefined && →»this.#running.size > 0',
  },
  'src/mcp/rpc/progress.ts': {
    'falling-progress-shown: PROG-03': '« || progress <= (last?.progress ?? -Infinity)→»',
    'own-progress-stands-still: PROG-05': 'report(progress« + 1→»)',
    'numeric-token-unheard: PROG-05': "« || typeof progressToken === 'number'→») {",
  },
  'src/mcp/rpc/pendingRequests.ts': {
    'no-limit-in-all: TIME-03': 'return «Math.min(request.expiresAt, idleAt)→idleAt»;',
    'limit-runs-while-we-answer: TIME-04': '«this.#isPaused() ? Infinity : →»',
    'idle-time-from-before-the-pause: TIME-04':
      '«Math.max(request.lastSignAt, this.#resumedAt)→request.lastSignAt»',
  },
  'src/mcp/rpc/peer.ts': {
    'reserved-names-passed-on: META-02': '«.filter(([name]) => !name.startsWith(ownNames))→»',
  },
  'src/mcp/client/listing.ts': {
    'list-in-a-circle: PAGE-02': 'if («seen.has(next)→false») {',
    'list-without-end: PAGE-02': 'return «out.length + values.length <= room→true»;',
    'pages-without-end: PAGE-02': 'number <= «maxPages→2_000»',
    'list-beyond-memory: Memory': 'if («!this.#hasRoom(page)→false») {',
    'refused-cursor-ends-list: PAGE-03':
      'this.isCursorRefused = «error.rpcCode === rpcCodes.invalidParams→false»',
    'empty-cursor-of-old-revision: PAGE-02': `«(next === '' && !emptyCursors)→false»`,
    'fresh-list-from-cache: CACHE-04': 'times,\n      «isFresh,→»',
  },
  'src/mcp/client/userWait.ts': {
    'opening-never-late: TIME-04': '«this.#leftMs -= performance.now() - this.#since;→»',
  },
  'src/mcp/client/connect.ts': {
    'late-while-user-is-asked: TIME-04': '«restWhileWaiting(peer, this.#hello.userWait);→»',
    'opening-without-limit: TIME-04': `«controller.abort(new McpError('timeout', message));→»`,
    'memory-of-era-believed: VER-07':
      'if («!showsWorkingServer(errorOf(opening))→true») {\n        throw',
    'refusal-hidden-by-last-try: SSE-08': 'return «trouble ?? refusal ?? →»last;',
    'refused-sign-in-tries-old-transport: SSE-08': `if («opening.kind === 'failed' && classify(opening.error) === 'stop'→false») {`,
  },
  'src/mcp/iconSources.ts': {
    'icon-with-user-name: ICON-02': `« && url.username === ''→»`,
    'icon-with-password: ICON-02': `« && url.password === ''→»`,
  },
};
