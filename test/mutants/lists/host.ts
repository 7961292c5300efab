/** Approval of tool calls, the time to read a question, the account of memory, restarts, the bridge's guard. */
import type { Changes } from '../mutant.ts';

export const hostMutants: Changes = {
  'src/host/toolApproval/approvals.ts': {
    'changed-tool-stays-allowed: VSC-19':
      '«this.#find(request)?.changes.length === 0→this.#find(request) !== undefined»',
    'trusted-server-may-all: VSC-05': `return isTrusted« && claimsOf(tool).effect === 'readOnly'→»`,
    'claim-of-any-server-counts: TRAP-51': `return «isTrusted && →»claimsOf(tool).effect === 'readOnly'`,
    'trust-counts-for-extensions: In the editor': `const isTrusted = «caller === 'model' && →»`,
    'apps-call-unasked: APP-65': `«    ...(caller === 'app' && { app: true }),\n→»`,
    'workspace-server-allowed-everywhere: VSC-19':
      'if («!rememberedScopes(server).includes(scope)→false») {',
    'edited-input-lost: HOST-11': `{ kind: 'allowed', input«: answer.input→», because: 'asked' }`,
    'denied-call-runs: TOOL-05': `if («answer.kind === 'deny'→false») {`,
    'denied-calls-run: TOOL-05': `[one, «byHand→{ kind: 'allowed', input: one.input, because: 'asked' }»]`,
    'approval-not-recorded: HOST-07': '«note(noteOf(decided));→»',
    'rule-that-asks-is-remembered: TOOL-05': `«ruled === 'ask' || →»caller === 'user'`,
    'rule-allows-apps: APP-65': `if (ruled === 'allow'« && caller === 'model'→») {`,
  },
  'src/host/questions/questionQueue.ts': {
    'expected-for-ever: SEC-01':
      'return «Date.now() - (this.#expected.get(server) ?? 0) < expectingMs→this.#expected.has(server)»;',
    'modal-lets-a-form-come: SEC-01':
      'if («question.takesKeyboard === true || question.holdsUp === true→true») {',
  },
  'src/host/questions/reading.ts': {
    'hasty-yes-counts: SEC-01': 'return «answered - shown >= readingMs→true»;',
    'dialog-that-waited-counts-as-read: SEC-01':
      'const shown = «Math.max(asked, last.goneAt)→asked»;',
    'dialog-leaves-no-trace: SEC-01': '«    last.goneAt = answered;\n→»',
  },
  'src/host/toolApproval/toolRules.ts': {
    'workspace-allows-by-rule: In the editor': `if («decision === 'allow' && scope.kind !== 'user'→false») {`,
    'rule-allows-servers-of-others: In the editor': `(«rule.decision !== 'allow' || scope.kind === 'user'→true»);`,
    'name-is-trusted-unsaid: In the editor': `«rule.decision === 'allow' && isFor→isFor»(rule, server)`,
    'rule-that-allows-wins: TOOL-05': `const decisions = [«'deny', 'ask', 'allow'→'allow', 'ask', 'deny'»] as const;`,
    'rule-with-a-mistake-counts: TOOL-05': 'if («!reader.isUsable || →»decision === undefined) {',
  },
  'src/base/wildcard.ts': {
    'rule-fits-parts-of-names: TOOL-05': '«!text.startsWith(first) || →»!text.endsWith(last)',
  },
  'src/host/toolApproval/appApprovals.ts': {
    'one-yes-under-a-rule: HOST-06': '«this.#approvals.isRestricted(call)→false»',
    'withdrawn-with-another: HOST-06':
      "«signal.throwIfAborted(); // else→throw new McpError('cancelled', ''); //»",
  },
  'src/host/inspector/filterAndExport.ts': {
    'late-secret-in-an-export: SEC-11':
      '«maskedJson(facts, redactor, Infinity).text→JSON.stringify(facts)»',
  },
  'src/host/inspector/maskedText.ts': {
    'proof-of-a-server-shown: SEC-11': 'credential«|dpop→»|jwt',
    'secret-in-the-name-of-a-header: SEC-11': 'return [[«redactor.redact(name)→name», isShown',
  },
  'src/host/sampling/sampling.ts': {
    'cut-off-answers-are-free: SAMP-21': '«tokensByLength(received)→0»',
    'apps-have-allowances: APP-75': `return «caller === 'server'→true»;`,
    'yes-for-any-model: SAMP-05': 'return «isOther ? undefined : →»because && {',
  },
  'src/host/sampling/samplingBudget.ts': {
    'each-request-may-all: SAMP-21': 'this.spend(server.id, tokens« + answer→»);',
    'one-budget-for-all: SAMP-21': 'this.#tokens.get(«id→[...this.#tokens.keys()][0] ?? id»);',
  },
  'src/host/chat/agentCalls.ts': {
    'editor-tool-beside-a-skill: SKL-53': '«this.#acting.size > 0→false»',
  },
  'src/host/extensions/extensionAccess.ts': {
    'access-of-another-extension: In the editor': '«access.extension === extension.id &&→»',
    'access-at-another-server: In the editor': '«access.serverId === server.id &&→»',
    'access-after-a-change: In the editor': '«access.entry === entry &&→»',
    'access-of-another-replaced: In the editor': 'JSON.stringify([«extension, →»serverId])',
    'access-elsewhere-replaced: In the editor': 'JSON.stringify([extension«, serverId→»])',
  },
  'src/host/extensions/extensionCalls.ts': {
    'extension-calls-tools-of-apps: APP-10': 'if (tool === undefined« || !isForModels(tool)→») {',
    'input-as-the-extension-wants: HOST-11': 'input: «approval.input→input»,\n      signal',
  },
  'src/host/editorChat/editorChat.ts': {
    'forbidden-server-offered: HOST-05':
      '«forbiddenBy === undefined && →»this.#services.isTrusted()',
  },
  'src/host/editorChat/drawnCalls.ts': {
    'drawn-with-any-input: In the editor': 'stableStringify([server, tool«, input→»]);',
    'drawn-call-stays-approved: In the editor': '«this.#open.delete(open);→»\n    }\n    return',
  },
  'src/host/import/unpackBundle.ts': {
    'link-in-a-bundle: Before a server starts': `demand(«type === 0 || type === regularFile→true»,`,
    'bundle-of-any-digest: Before a server starts':
      'expected === undefined || «expected.toLowerCase() === digest→true»',
    'bundle-with-set-uid: Before a server starts':
      'mode: «isProgram ? 0o755 : 0o644→mode & 0o7777» }',
    'bundle-in-a-folder-of-its-name: Before a server starts':
      'path.join(storage, «digest.slice(0, nameChars)→path.basename(file)»)',
    'bundle-of-any-count: Before a server starts': 'demand(«files <= bundleLimits.files→true»,',
    'refused-bundle-stays: Before a server starts':
      '«await rm(staging, { recursive: true, force: true });→»\n    }\n  } catch',
  },
  'src/host/toolApproval/rememberedApproval.ts': {
    'extensions-share-approvals: In the editor':
      'JSON.stringify([serverId, tool, «extension→undefined», app])',
    'tools-share-approvals: TOOL-05': 'JSON.stringify([serverId, «tool, →»',
    'servers-share-approvals: TOOL-05': 'JSON.stringify([«serverId, →»tool, ',
  },
  'src/host/toolApproval/toolDefinition.ts': {
    'server-not-bound: VSC-19': `«  'server',\n→»`,
    'title-not-bound: VSC-19': `«  'title',\n→»`,
    'description-not-bound: VSC-19': `«  'description',\n→»`,
    'schema-not-bound: VSC-19': `«  'inputSchema',\n→»`,
    'annotations-not-bound: VSC-19': `«  'annotations',\n→»`,
    'missing-hint-is-harmless: TOOL-03': `destructiveHint === «false ? 'additive' : 'destructive→true ? 'destructive' : 'additive»'`,
    'not-destructive-is-read-only: TRAP-50': `destructiveHint === false ? '«additive→readOnly»' : 'destructive'`,
    'closed-world-by-default: TOOL-03': 'openWorldHint «!== false→=== true»',
    'idempotent-by-default: TOOL-03': 'idempotentHint «=== true→!== false»',
  },
  'src/host/toolApproval/trustedServers.ts': {
    'changed-entry-stays-trusted: TOOL-02':
      'this.#read().«get(server.id) === launchHash(server→has(server.id»)',
    'sandbox-is-no-part-of-entry: TOOL-02': '{ launch, «sandbox, →»debug: dev?.debug, folders }',
    'trusted-by-name-in-workspace: While it runs': `return «rememberedScopes(server).includes('always')→true»;`,
  },
  'src/host/config/serverConfig.ts': {
    'workspace-server-always: VSC-19': `return «scope.kind === 'user' && folders === undefined→true»\n`,
  },
  'src/host/toolApproval/toolFlags.ts': {
    'hidden-character-unmarked: While it runs': '«character === undefined→true» ? []',
    'shared-name-unmarked: TOOL-17': '«this.#namesOf(tools).has(name)→false»',
    'lookalike-name-unmarked: TOOL-17': `«.replaceAll(unseen, '')→»`,
    'schema-texts-unread: While it runs': `«prose.push(...[node['title'], node['description']].filter(isString));→»`,
    'tags-unmarked: While it runs': `«  { pattern: 'tag', found: hasTag },\n→»`,
    'comments-unmarked: While it runs': `«text.includes('<!--')→false»`,
    'gap-unmarked: While it runs': '/[ \\t\\u00a0]{80}«|(?:[ \\t]*\\r?\\n){15}→»/u',
    'endless-description-read: While it runs': 'text«.slice(0, maxLookedAt)→»',
  },
  'src/host/tools/callTool.ts': {
    'wrong-input-sent: TOOL-04': 'if («inputCheck.problems.length > 0→false») {',
    'wrong-output-unseen: TOOL-11':
      '«structuredOutput ? await checkOutput(checker, tool, result) : →»unproblematic',
    'repeated-on-a-claim: HTTP-14 (2026)': 'return «isTrusted === true && →»(',
    'tool-error-recorded-as-done: HOST-07': `«result.isError === true ? 'toolError' : →»'done'`,
  },
  'src/host/history/callHistory.ts': {
    'tool-name-unmasked: HOST-07': 'tool: «fact(tool.name)→tool.name»,',
    'masked-input-taken-for-whole: HOST-07': '«kept.json === JSON.stringify(input)→true»',
    'old-calls-shown: HOST-07': '«.filter(({ at }) => at >= oldest)→»',
  },
  'src/host/requests/resumedTasks.ts': {
    'task-asked-of-a-changed-server: TASK-18': '«definitionOf(config) !== note.definition→false»',
    'task-asked-in-another-era: TASK-18': '«session.server.era !== note.era→false»',
  },
  'src/host/servers/serverMemory.ts': {
    'server-without-budget: Memory': '«this.used + bytes <= this.limit→true»;',
    'all-servers-without-budget: Memory':
      '«this.used + bytes <= memoryBudgets.shareBytes || all.used + bytes <= all.limit→true»;',
    'no-share-for-the-small: Memory': '«this.used + bytes <= memoryBudgets.shareBytes || →»',
    'never-stopped: Memory': 'if («this.#refusedAt.length >= memoryBudgets.refusals→false») {',
    'stopped-for-others: Memory':
      '    if («this.used + bytes <= this.limit→false») {\n      return;',
    'refusals-never-age: Memory': 'this.#refusedAt«.filter((at) => at > since)→»',
    'spare-data-stays: Memory': '«held.giveWay();→»',
    'dropped-and-still-there: Memory': '«this.#drop?.();→»',
    'end-frees-nothing: Memory': '    for (const held of «this.#holders.held→[]») {\n',
    'given-back-not-counted: Memory':
      'this.budget.add(«bytes - this.#bytes→Math.max(0, bytes - this.#bytes)»);',
    'holds-after-the-end: Memory': '(«this.#holders.isOver || →»!this.budget.admits(more, this))',
    'limit-below-two-messages: Memory':
      '«Math.max(memoryBudgets.serverBytes, 2 * messageBytes)→memoryBudgets.serverBytes»',
  },
  'src/base/memory.ts': {
    'wide-text-counts-half: Memory': '«wide.test(text) ? text.length * 2 : →»text.length',
    'names-not-counted: Memory': '«bytes += valueBytes.newName + name.length * 2;→»',
    'lists-not-counted: Memory': `«bytes += valueBytes.plain + (typeof one === 'number' ? 0 : heapBytes(one, names));→»`,
  },
  'src/host/servers/connectionState.ts': {
    'restarts-without-end: While it runs': '«restarts < restartRules.maxRestarts→true»',
    'restarts-at-once: While it runs':
      '«Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1))→firstDelayMs»',
    'restarts-what-breaks-the-protocol: While it runs': `«error.code !== 'protocol' && →»`,
    'denied-start-fails: SEC-01': `if («error.code === 'denied'→false») {`,
    'stable-run-forgives-nothing: While it runs':
      '«readyMs >= restartRules.stableMs ? 0 : →»state.attempt',
    'put-off-as-long-as-asked: While it runs': '« && putOffMs <= restartRules.maxPutOffMs→»',
  },
  'src/host/servers/connectionTexts.ts': {
    'forbidden-server-starts: HOST-05': 'if («forbiddenBy !== undefined→false») {',
    'hidden-server-starts: Before a server starts': 'if («hiddenBy !== undefined→false») {',
  },
  'src/host/servers/automaticRestart.ts': {
    'restarts-without-consent: Before a server starts': 'if («because === undefined→true») {',
  },
  'src/host/servers/liveness.ts': {
    'silent-server-stays: PING-03': 'if («this.#misses >= this.#maxMisses()→false») {',
    'busy-program-is-dead: PING-03': 'return livenessRules.«maxMissesOfProcess→maxMisses»;',
    'busy-call-is-silence: PING-03': 'if (!isSilent« || isBusy()→») {',
    'one-ping-only: PING-02': '    «  this.#schedule();\n    →»}\n',
  },
  'src/host/servers/eraMemory.ts': {
    'era-remembered-for-ever: VER-07': '« && this.#now() - note.at < maxAgeMs→»',
    'era-of-another-entry: VER-07': '«note.hash === hashOf(entry) && →»',
  },
  'src/host/catalog/catalog.ts': {
    'prompts-not-read-again: PROM-01': `      «case 'prompts':\n        this.#lists[change.kind].refresh();→  this.#lists[change.kind].refresh();\n        break;\n      case 'prompts':»`,
  },
  'src/bridge/guard.ts': {
    'bridge-for-any-host: In the editor': 'return «isOurHost && isOurOrigin→isOurOrigin»;',
    'bridge-for-web-pages: In the editor': 'return isOurHost« && isOurOrigin→»;',
    'bridge-without-key: In the editor': `«digestOf(presented?.groups?.['token'] ?? '')→this.#digest»`,
  },
};
