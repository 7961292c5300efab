/** Standard streams, and what all channels do with the texts they get. */
import type { Changes } from '../mutant.ts';

export const stdioMutants: Changes = {
  'src/mcp/transport/stdio/childProcess.ts': {
    'stdin-stays-open: STDIO-07': '«    this.stdin.end();\n→»',
    'program-by-shell: STDIO-02': 'shell: «false→true»,',
    'no-group-of-its-own: STDIO-07': `detached: «platform !== 'win32'→false»,`,
  },
  'src/mcp/transport/stdio/treeEnding.ts': {
    'kill-in-place-of-term: STDIO-07': `signalTree(tree, this.#pid, '«SIGTERM→SIGKILL»');`,
    'never-kills: STDIO-07': 'return «this.#kill()→[]»;',
    'child-in-another-group-forgotten: STDIO-07':
      '«tree.filter((entry) => entry.groupId !== this.#pid).map((entry) => entry.pid)→[]»,',
    'ends-at-once: STDIO-07': 'if (restMs <= «0→Infinity») {',
    'reaper-takes-pid-1: While it runs': '} else «if (pid > 1) →»{',
    'reaper-reads-half-lines: While it runs': `this.#rest = «lines.pop() ?? →»'';`,
    'reaper-keeps-what-ended: While it runs': '«this.#pids.delete(pid);→»',
  },
  'src/mcp/transport/stdio/processTree.ts': {
    'grandchildren-not-found: STDIO-07': '«pending.push(...(children.get(entry.pid) ?? []));→»',
    'zombies-count: STDIO-07': '«.filter((entry) => !entry.isZombie)→»',
    'only-the-group-is-signalled: STDIO-07':
      'if («entry.groupId !== groupId && entry.pid > 1 && entry.pid !== process.pid→false») {',
  },
  'src/mcp/transport/stdio/reaper.ts': {
    'reaper-not-told: STDIO-07': '«this.#tell(`+${pid}\\n`);→»',
    'lost-reaper-not-replaced: STDIO-07':
      'if («this.#pids.size > 0 && this.#replacements < maxReplacements→false») {',
  },
  'src/mcp/transport/stdio/stdio.ts': {
    'unread-input-grows: While it runs':
      'if («unsent > 0 && unsent + line.length > this.#limits.maxUnsentBytes→false») {',
    'exit-not-noted: STDIO-08': '«void this.#noteEnd(server);→»',
    'two-messages-a-line: STDIO-03': 'this.#outbox += «`${line}\\n`→line»;',
    'close-tells-before-the-end: STDIO-07': `if («reason.kind !== 'requested'→true») {`,
  },
  'src/mcp/transport/stdio/outputLines.ts': {
    'endless-error-line: While it runs':
      'const room = «maxLineChars - this.#rest.length→Infinity»;',
    'terminal-codes-in-log: While it runs':
      '«stripVTControlCharacters(this.#rest)→this.#rest».trimEnd()',
    'last-error-line-lost: STDIO-06': '«this.#take(`${this.#decoder.end()}\\n`);→»',
    'large-piece-kept: While it runs':
      'const isTooLarge = «this.#partsBytes > maxMessageBytes→false»;',
    'piece-beyond-memory-kept: Memory': 'if (isTooLarge« || !hasRoom→») {\n      const all',
    'skipped-piece-without-its-end: While it runs':
      '«this.#skipped.tail = endOf([this.#skipped.tail, part]);→»',
    'last-piece-lost: STDIO-03': '«this.#keep(chunk.subarray(start));\n    →»}\n  }',
  },
  'src/mcp/windowsPrograms.ts': {
    'program-from-working-directory: Before a server starts':
      '«.filter((folder) => win32.isAbsolute(folder))→»',
  },
  'src/mcp/transport/jsonText.ts': {
    'deep-json-read: While it runs': '«deepest = depth > deepest ? depth : deepest;→»',
    'many-parts-read: While it runs': 'if («parts > maxJsonParts→false») {',
    'json-beyond-memory-read: Memory':
      '«memory?.hasRoom(textBytes(text) + parts * partBytes) === →»false',
  },
  'src/mcp/transport/chunkBuffer.ts': {
    'single-bytes-kept-apart: Memory': 'if («this.#loose.length === maxLoose→false») {',
    'taken-bytes-stay-counted: Memory': '«this.#held?.set(0);→»',
  },
  'src/mcp/transport/messageText.ts': {
    'notifications-count-in-batch: BASE-09': 'requests: messages.«filter(isRequest).→»length',
    'large-answer-hangs: While it runs': 'if («found?.[1] === undefined→true») {',
    'text-that-is-no-json-in-silence: STDIO-05': `if («text.trim() !== ''→false») {`,
    'skipped-answer-hangs: While it runs':
      'if («reply !== undefined→false») {\n    sink.message(reply',
  },
  'src/mcp/types/message.ts': {
    'any-jsonrpc-version: BASE-01': `if («value['jsonrpc'] !== '2.0'→false») {`,
    'null-as-id: BASE-02': `if («'id' in value && !isId(value['id'])→false») {`,
    'error-code-of-any-kind: BASE-05': `«typeof error['code'] === 'number' && →»`,
    'null-error-is-one: BASE-04': '« && (message.error as unknown) !== null→»',
    'error-without-message: BASE-05': `« && typeof error['message'] === 'string'→»`,
  },
  'src/base/throttle.ts': {
    'flood-passes: LOG-05': 'if («this.#delivered < this.#options.perSecond→true») {',
    'flood-is-kept: LOG-05': 'if («this.#held.size > this.#options.maxHeld→false») {',
  },
};
