/** Sessions since 2026-07-28, their cache and subscriptions; tasks of both eras. */
import type { Changes } from '../mutant.ts';

export const modernMutants: Changes = {
  'src/mcp/era/modern.ts': {
    'corrected-for-ever: VER-02': 'if («corrections++ > 0→false») {',
    'waits-for-silent-pipe: STDIO-08 (2026)': `«wire === 'http' || (await raceSignal(settlesWithin(outcome, limitMs), signal))→true»`,
    'requests-during-probe: ERA-09': '  «peer.dropRequests();→»\n  for (;;)',
  },
  'src/mcp/era/modernSession.ts': {
    'cache-of-another-token: CACHE-08':
      'channel.onDidChangeAuthorization(() => «this.#cache.clear()→undefined»)',
    'asked-result-cached: MRTR-18': 'if («result === answer→true») {',
    'fresh-answer-from-cache: CACHE-04':
      '«options.isFresh === true ? undefined : →»this.#cache.get(method, params)',
    'undeclared-method-sent: CAP-01':
      '    if («missing !== undefined→false») {\n      throw missing;',
    'level-not-sent: LOG-01 (2026)':
      '«this.#envelope = envelopeFor(this.#hello, this.server.revision, level);→»',
    'mismatch-not-repeated: HDR-15': 'if («isMismatch→false» && ',
    'gap-not-filled: SUB-12': `if («!isFirst || change.kind === 'resource' || this.#listedUnheard.has(change.kind)→false») {`,
    'list-stays-after-change: CACHE-11': '«this.#cache.clear();→»\n    this.changed.fire(change);',
    'limit-of-call-ignored: TIME-02':
      '{ ...this.#hello.times«, ...options.times→» };\n    const request',
  },
  'src/mcp/era/requestMeta.ts': {
    'capabilities-not-in-meta: META-01 (2026)': `«[metaKeys.clientCapabilities]: declaredCapabilities(features, 'modern'),→»`,
    'client-not-in-meta: META-02 (2026)': '«[metaKeys.clientInfo]: client,→»',
    'meta-of-caller-wins: META-01 (2026)':
      '{ ...«withoutOwnKeys(meta), ...envelope→envelope, ...meta» }',
    'extensions-always-declared: EXT-01':
      '«...(Object.keys(declared).length > 0 && { extensions: declared })→extensions: declared»',
  },
  'src/mcp/era/calls.ts': {
    'missing-resource-like-any-error: RES-04 (2026)':
      '«new RpcError(rpcCodes.resourceNotFound, error.message, error.data)→error»',
  },
  'src/mcp/era/resultCache.ts': {
    'stale-answer-served: CACHE-03':
      'if («entry !== undefined && entry.freshUntil <= this.#now()→false») {',
    'change-on-its-way-missed: CACHE-11': 'cacheable.has(method)« && before === this.#cleared→») {',
    'kept-as-long-as-told: CACHE-13': '«Math.min(ttlMs, maxTtlMs)→ttlMs»',
    'one-answer-for-all-parameters: CACHE-02':
      'return «`${method} ${stableStringify(affecting)}`→method»;',
    'answer-beyond-memory-kept: Memory':
      'if («entry.held?.set(heapBytes(entry.result)) === →»false) {',
  },
  'src/mcp/era/listen.ts': {
    'ended-one-is-cancelled: CAN-04': '«subscription.isEndedByServer = true;→»',
    'pause-of-listening-never-grows: SUB-10':
      '«this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs * 2);→»',
    'unsubscribed-change-counts: SUB-02': `if (event?.kind === 'change'« && isWanted(event.change, subscription.filter)→») {`,
    'acknowledgement-awaited-for-ever: SUB-13': 'after(«this.#owner.ackMs→2 ** 30», () =>',
    'old-subscription-stays: SUB-08': `«this.#retire(before);→»`,
    'missed-after-gap: SUB-12':
      '«this.#owner.missed(changesOf(subscription.filter), !this.#hasListened);→»',
    'subscribes-to-undeclared: SUB-01':
      '([, kind]) => «capabilities[kind]?.listChanged === true→true»',
    'end-of-the-old-one-opens-another: SUB-08':
      'if (!this.#end(subscription, why)« || !wasCurrent→» ||',
    'any-error-ends-listening: SUB-10':
      '«isRpcError(error) && error.rpcCode === rpcCodes.methodNotFound→isRpcError(error)»',
    'goodbye-unheard: SUB-09': `«this.#ended(subscription, 'the server cancelled it');→»`,
    'lost-subscription-stays-lost: SUB-10': '«this.#retry = after(pauseMs, () => this.start());→»',
  },
  'src/mcp/era/tasks/extensionTasks.ts': {
    'question-asked-twice: TASK-13 (2026)': '«added.forEach(([key]) => answered.add(key));→»',
    'answers-not-sent: TASK-11 (2026)': `«this.#owner.request('tasks/update', { taskId, inputResponses }, options)→Promise.resolve()»`,
    'failed-task-with-result: TASK-10 (2026)': `if («end.status === 'completed' && →»isObject(result))`,
  },
  'src/mcp/era/tasks/followTask.ts': {
    'polled-at-any-pace: TASK-05': 'Math.max(«pollMs ?? unaskedMs→0», pollLimits.least)',
    'one-failure-ends-watching: TASK-08':
      'if («!mayPass(error) || (isLate && failures >= leastFailures)→true») {',
    'patience-counts-from-the-start: TASK-08': '«      answeredAt = performance.now();\n→»',
  },
  'src/mcp/era/tasks/receivedTasks.ts': {
    'tasks-without-limit: TASK-18': 'if («this.#kept.size >= receivedTaskLimits.tasks→false») {',
    'life-of-any-length: TASK-17': 'return «Math.min(Math.max(wanted, leastTtl), mostTtl)→wanted»;',
    'undeclared-task-member-refused: TASK-19': 'return isObject(task)« && this.#isInUse→»',
    'tasks-outlive-the-session: TASK-18': `«this.#forget(task, 'The session is over');→»`,
    'cancelled-twice: TASK-16': '    if («isTerminal(task)→false») {\n      throw',
  },
  'src/mcp/era/tasks/toolTasks.ts': {
    'tool-runs-twice: TASK-06': `« || started?.task !== undefined→»`,
    'tasks-for-who-declared-none: TASK-02': 'const hasTasks = «declaresToolTasks(server)→true»',
    'word-of-tool-ignored: TASK-03': `«support === 'optional' || support === 'required' ? support : →»undefined`,
    'cancels-without-declaration: TASK-11': `if («!isDeclared(cancel)→false») {`,
    'result-not-asked-for-with-input: TASK-07': '«void openStream();→»',
    'one-token-for-all-tasks: PROG-01': '`task-${«++this.#lastToken→1»}`',
  },
  'src/mcp/era/tasks/taskCalls.ts': {
    'given-up-task-runs-on: TASK-15 (2026)': `«await this.#owner.request('tasks/cancel', { taskId: task.id }, times);→»`,
    'given-up-task-not-cancelled: CANC-07': '«this.bidFarewell(this.cancel(task, tool));→»',
  },
  'src/mcp/era/tasks/task.ts': {
    'pace-of-extension-unread: TASK-08 (2026)': `«value['pollIntervalMs'] ?? →»value['pollInterval']`,
  },
};
