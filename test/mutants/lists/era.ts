/** The conversations before and since 2026-07-28. */
import type { Changes } from '../mutant.ts';

export const eraMutants: Changes = {
  'src/mcp/era/classify.ts': {
    '401-leads-to-old-transport: TRAP-20': '[400, «404→401, 404», 405].includes(refusal.status)',
    '405-ends-the-search: SSE-07': '[400, 404«, 405→»].includes(refusal.status)',
    'modern-refusal-leads-to-old-transport: SSE-07': 'isRefused« && !showsModernEra(error)→»',
    'refusal-says-older-era: ERA-05':
      'if («status === 401 || status === 403 || (status >= 300 && status <= 399)→false») {',
    'outage-says-older-era: ERA-05': `«isTransientStatus(status) ? 'retry' : →»'otherEra'`,
    'any-own-revision: VER-02': 'ours«.find((own) => supported.includes(own))→[0]»',
    'discovery-of-another-kind: BASE-07 (2026)':
      'if (!isStringArray(supported)« || !isComplete→») {',
    'demand-says-older-era: META-06 (2026)': 'if («required !== undefined→false») {',
    'modern-error-unseen: VER-08': 'if («supported !== undefined→false») {',
    'silence-ends-all: STDIO-08 (2026)': `        go: '«otherEra',\n        because→fail',\n        error»: new McpError('timeout'`,
    'no-revisions-are-older-ones: ERA-04':
      '\n    return «supported.length > 0 && →»supported.every(isOlder)',
  },
  'src/mcp/era/calls.ts': {
    'undeclared-is-called: CAP-01': 'if («isOffered→true») {',
    'oldest-revision-never-completes: COMP-01': `if («needed === 'completions' && !revisions[server.revision].declaresCompletions→false») {`,
    'unknown-kind-of-result: BASE-09 (2026)': '  if (isPossible«→ || true») {\n',
    'asks-back-anywhere: MRTR-01': `«(type === 'input_required' && mayAsk.has(method))→type === 'input_required'»`,
    'task-that-nobody-declared: TASK-05 (2026)': '« && declared[tasks] !== undefined→»',
    'list-without-its-array: ERR-03': 'if («!isResult(method, result)→false») {',
    'completion-without-values: COMP-05':
      'return «isComplete ? value : { completion: { values: [] } }→value»;',
    'call-sent-twice: HTTP-07': `return !lifetime.aborted« && (method !== 'tools/call' || isRepeatable === true)→»;`,
    'context-for-old-completion: COMP-03': 'return «isKnown ? params : rest→params»;',
    'prompt-without-messages: ERR-03': `«, member: 'messages'→»`,
    'templates-without-their-array: ERR-03': `«, member: 'resourceTemplates'→»`,
    'resource-without-contents: ERR-03': `«, member: 'contents'→»`,
    'any-error-means-no-completion: COMP-01': `if («error.rpcCode === rpcCodes.methodNotFound && →»method === 'completion/complete')`,
  },
  'src/mcp/era/serverDescription.ts': {
    'false-declares: CAP-04': '« && capability !== false→»',
    'any-flag-is-set: CAP-04':
      '...«(listChanged === true && { listChanged })→{ listChanged: true }»,',
  },
  'src/mcp/era/discovered.ts': {
    'discovered-once: DISC-07': ' && «performance.now() >= this.#freshUntil→false»',
    'change-of-server-unseen: DISC-05':
      'if («stableStringify(next) !== stableStringify(this.#description)→false») {',
    'gone-endpoint-believed-at-once: ERA-06': 'if (isGone« && this.#isDoubted→») {',
  },
  'src/mcp/era/featureHandlers.ts': {
    'other-folders-are-roots: ROOT-03': `roots«.filter(({ uri }) => uri.startsWith('file://'))→»`,
    'link-answered-with-content: ELIC-26': `if (result.action !== 'accept'« || request.mode === 'url'→») {`,
    'lists-in-old-forms: ELIC-20': 'if («hasList && !revisions[revision].elicitsLists→false») {',
    'elicitation-before-its-revision: CAP-03':
      'if («revisions[revision].elicitationModes.length === 0→false») {',
    'several-blocks-for-old-revision: TRAP-42':
      'if («isNew && !revisions[revision].samplesTools→false») {',
  },
  'src/mcp/era/httpHeaders.ts': {
    'name-header-as-it-is: HTTP-07 (2026)': `headers['mcp-name'] = «encodeHeaderValue(name)→name»;`,
    'revision-only-inside: HTTP-04 (2026)': `«headers['mcp-protocol-version'] = revision;→»`,
    'value-that-looks-encoded: HDR-11': 'return isPlain« && !looksEncoded→»',
    'large-numbers-repeated: HDR-12': `«Number.isSafeInteger(value)→typeof value === 'number'»`,
    'one-header-for-two: HDR-03': '«taken.add(header);→»',
    'mark-anywhere: HDR-05': `«place.isReachable && →»keyword === 'properties'`,
    'mark-on-any-type: HDR-04': `if («type !== 'string' && type !== 'integer' && type !== 'boolean'→false») {`,
    'mark-that-is-no-token: HDR-02': "if («!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u.test(text)→false») {",
    'blank-at-the-end-as-it-is: HDR-10':
      '/^[«\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?→\\x20-\\x7e]+»$/u',
    'task-id-not-repeated: HTTP-06 (2026)': `«  ['tasks/get', 'taskId'],\n→»`,
    'tool-with-wrong-mark: HDR-06': 'read.reason));\n        return [«→tool»];\n',
    'headers-of-old-schemas: HDR-13':
      'this.#listed.learn(«params→{ cursor: 1 }», result);\n    return { ...result',
    'marked-arguments-not-sent: HDR-01': `«method === 'tools/call' ? this.#listed.of(params['name']) : →»undefined`,
  },
  'src/mcp/era/inputRequired.ts': {
    'rounds-without-end: MRTR-15': 'const maxRounds = «10→1_000»;',
    'state-not-returned: MRTR-07': '«...(state !== undefined && { requestState: state }),→»',
    'question-without-anything: MRTR-03':
      'if (!isReadable« || (!hasRequests && state === undefined)→») {',
    'tries-again-at-once: MRTR-06': '«await pause(pauseMs, context);→»',
    'answers-of-earlier-rounds: MRTR-14': '«    let inputResponses: JsonObject | undefined;\n→»',
    'one-question-for-all: MRTR-05': 'Object.entries(requests).«→slice(0, 1).»map(',
    'refusal-is-passed-over: MRTR-16':
      'await raceSignal(answer({ signal, revision })«→.catch(() => undefined)», signal)',
  },
  'src/mcp/era/legacyHandshake.ts': {
    'revision-that-we-do-not-speak: LIFE-06':
      'if («!isRevision(revision) || !spoken.includes(revision)→false») {',
    'oldest-revision-proposed: LIFE-02': 'return await offer(spoken«[0]→.at(-1)»);',
    'refused-revision-offered-again: LIFE-09': 'common === undefined« || common === spoken[0]→») {',
    'initialized-awaited-for-ever: TIME-01':
      "await «raceSignal(peer.notify('notifications/initialized'), signal)→peer.notify('notifications/initialized')»;",
    'arrays-in-any-revision: TRAP-07': 'answersBatches: «batches→true»',
    'handshake-not-completed: LIFE-03': '«await sendInitialized(peer, signal);→»',
    'revision-header-too-early: TRAP-12': 'sendsVersionHeader: «versionHeader→true»,',
    'refused-initialized-ends-all: LIFE-03': `error.code !== 'http'« && error.code !== 'rpc'→»`,
  },
  'src/mcp/era/requestMeta.ts': {
    'roots-declared-unasked: CAP-02':
      '«...(listRoots && { roots: isLegacy ? { listChanged: true } : {} })→roots: {}»,',
    'sampling-not-declared: SAMP-01':
      '«...(sample && { sampling: { tools: {} } }),→»\n    ...(Object',
  },
  'src/mcp/era/legacySession.ts': {
    'watched-not-restored: LIFE-14': '«await this.#state.restore();→»',
    'repeated-without-visit: ELIC-29':
      'return required !== undefined« && (await visitAll?.(required, signal)) === true→»;',
    'new-session-serves-nothing: LIFE-14':
      'signal);\n      «this.peer.acceptRequests(this.#requestHandlers.handlers);→»',
    'question-outlives-session: TASK-18':
      '«this.store.add(toDisposable(() => this.#requestHandlers.clear()));→»',
    'sent-again-at-the-end: HTTP-14':
      "«this.lifetime.abort(new McpError('closed', t('The connection was closed')));→»",
    'wait-for-session-uncancelled: LIFE-04': 'return «raceSignal(current, signal)→current».catch(',
    'lists-stay-after-new-session: LIFE-14':
      '    for (const kind of «listCapabilities→[]») {\n      this.changed.fire({ kind });',
    'missed-changes-of-push: HTTP-09':
      'if («this.#server?.capabilities[kind]?.listChanged === true→false») {',
    'roots-change-in-silence: ROOT-04': `«this.#notify('notifications/roots/list_changed');→»`,
  },
  'src/mcp/era/serverEvents.ts': {
    'prompts-change-unheard: PROM-01':
      'method === `notifications/${kind}/«list_changed→list_change»`',
    'unknown-level-dropped: LOG-02': `level: known ?? '«info→debug»'`,
  },
  'src/mcp/era/serverState.ts': {
    'subscribes-undeclared: RES-07':
      'if («this.#owner.capabilities().resources?.subscribe !== true→false») {',
    'never-unsubscribes: RES-07':
      '«[...gone.map(unsubscribe), ...added.map(subscribe)]→added.map(subscribe)»',
    'log-level-undeclared: LOG-01':
      'if (level !== undefined« && this.#owner.capabilities().logging !== undefined→») {',
    'subscriptions-overtake-each-other: RES-07':
      'return «this.#changes.run(() => this.#subscribe())→this.#subscribe()»',
    'refused-level-ends-restoring: LIFE-14':
      'sendLogLevel()«.catch((error: unknown) =>\n      this.#owner.diagnose(`The log level could not be restored: ${toError(error).message}`),\n    )→»',
  },
  'src/mcp/samplingParams.ts': {
    'tool-without-name: SAMP-21': `«value['name'] !== '' &&\n    →»isObject(value['inputSchema'])`,
    'any-content-of-tool-results: SAMP-21': '« && content.every(isContentBlock)→»',
    'link-without-name: SAMP-21': `isString(value['uri'])« && isString(value['name'])→»;`,
  },
};
