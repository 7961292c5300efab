/** Standard streams, and what all channels do with the texts they get. */
import { mutantsOf } from '../mutant.ts';

const stdio = ['protocol/stdio.test.ts'];
const unit = 'unit/mcp/transport';

export const stdioMutants = [
  ...mutantsOf('src/mcp/transport/stdio/childProcess.ts', stdio, [
    [
      'stdin-stays-open',
      'STDIO-07',
      `    this.stdin.end();\n`,
      '',
      [`${unit}/stdio/childProcess.test.ts`],
    ],
    ['program-by-shell', 'STDIO-02', 'shell: false,', 'shell: true,'],
    ['no-group-of-its-own', 'STDIO-07', `detached: platform !== 'win32',`, 'detached: false,'],
  ]),
  ...mutantsOf('src/mcp/transport/stdio/treeEnding.ts', stdio, [
    [
      'kill-in-place-of-term',
      'STDIO-07',
      `signalTree(tree, this.#pid, 'SIGTERM');`,
      `signalTree(tree, this.#pid, 'SIGKILL');`,
      [`${unit}/stdio/childProcess.test.ts`],
    ],
    [
      'never-kills',
      'STDIO-07',
      'return this.#kill();',
      'return [];',
      [`${unit}/stdio/childProcess.test.ts`],
    ],
    [
      'child-in-another-group-forgotten',
      'STDIO-07',
      'tree.filter((entry) => entry.groupId !== this.#pid).map((entry) => entry.pid),',
      '[],',
      [`${unit}/stdio/childProcess.test.ts`],
    ],
    [
      'ends-at-once',
      'STDIO-07',
      'if (restMs <= 0) {',
      'if (restMs <= Infinity) {',
      [`${unit}/stdio/childProcess.test.ts`],
    ],
  ]),
  ...mutantsOf(
    'src/mcp/transport/stdio/processTree.ts',
    [`${unit}/stdio/processTree.test.ts`, ...stdio],
    [
      [
        'grandchildren-not-found',
        'STDIO-07',
        'pending.push(...(children.get(entry.pid) ?? []));',
        '',
      ],
      ['zombies-count', 'STDIO-07', '.filter((entry) => !entry.isZombie)', ''],
      [
        'only-the-group-is-signalled',
        'STDIO-07',
        'if (entry.groupId !== groupId && entry.pid > 1 && entry.pid !== process.pid) {',
        'if (false) {',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/stdio/reaping.ts',
    [`${unit}/stdio/reaping.test.ts`],
    [
      ['reaper-takes-pid-1', 'While it runs', '} else if (pid > 1) {', '} else {'],
      [
        'reaper-reads-half-lines',
        'While it runs',
        `this.#rest = lines.pop() ?? '';`,
        `this.#rest = '';`,
      ],
      ['reaper-keeps-what-ended', 'While it runs', 'this.#pids.delete(pid);', ''],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/stdio/reaper.ts',
    ['protocol/orphans.test.ts'],
    [
      ['reaper-not-told', 'STDIO-07', 'this.#tell(`+${pid}\\n`);', ''],
      [
        'lost-reaper-not-replaced',
        'STDIO-07',
        'if (this.#pids.size > 0 && this.#replacements < maxReplacements) {',
        'if (false) {',
      ],
    ],
  ),
  ...mutantsOf('src/mcp/transport/stdio/stdio.ts', stdio, [
    [
      'unread-input-grows',
      'While it runs',
      'if (unsent > 0 && unsent + line.length > this.#limits.maxUnsentBytes) {',
      'if (false) {',
    ],
    ['exit-not-noted', 'STDIO-08', 'void this.#noteEnd(server);', ''],
    ['two-messages-a-line', 'STDIO-03', 'this.#outbox += `${line}\\n`;', 'this.#outbox += line;'],
    ['close-tells-before-the-end', 'STDIO-07', `if (reason.kind !== 'requested') {`, 'if (true) {'],
  ]),
  ...mutantsOf(
    'src/mcp/transport/stdio/outputLines.ts',
    [`${unit}/stdio/outputLines.test.ts`],
    [
      [
        'endless-error-line',
        'While it runs',
        'const room = maxLineChars - this.#rest.length;',
        'const room = Infinity;',
      ],
      [
        'terminal-codes-in-log',
        'While it runs',
        'stripVTControlCharacters(this.#rest).trimEnd()',
        'this.#rest.trimEnd()',
      ],
      ['last-error-line-lost', 'STDIO-06', 'this.#take(`${this.#decoder.end()}\\n`);', ''],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/stdio/windowsStart.ts',
    [`${unit}/stdio/windowsStart.test.ts`],
    [
      [
        'program-from-working-directory',
        'Before a server starts',
        '.filter((folder) => win32.isAbsolute(folder))',
        '',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/jsonText.ts',
    [`${unit}/hostileJson.test.ts`],
    [
      ['deep-json-read', 'While it runs', 'deepest = depth > deepest ? depth : deepest;', ''],
      ['many-parts-read', 'While it runs', 'if (parts > maxJsonParts) {', 'if (false) {'],
      [
        'json-beyond-memory-read',
        'Memory',
        'memory?.hasRoom(textBytes(text) + parts * partBytes) === false',
        'false',
        [`${unit}/hostileJson.test.ts`],
      ],
      [
        'deep-answer-hangs',
        'While it runs',
        "return { jsonrpc: '2.0', id: message.id, error };",
        'return undefined;',
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/chunkBuffer.ts',
    [`${unit}/chunkBuffer.test.ts`],
    [
      [
        'single-bytes-kept-apart',
        'Memory',
        'if (this.#loose.length === maxLoose) {',
        'if (false) {',
      ],
      [
        'taken-bytes-stay-counted',
        'Memory',
        'this.#held?.set(0);',
        '',
        [`${unit}/stdio/outputLines.test.ts`, `${unit}/http/sseStream.test.ts`],
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/messageText.ts',
    [
      `${unit}/hostileJson.test.ts`,
      'unit/mcp/rpc/replyBatch.test.ts',
      'protocol/streamableHttpPost.test.ts',
    ],
    [
      [
        'notifications-count-in-batch',
        'BASE-09',
        'requests: messages.filter(isRequest).length',
        'requests: messages.length',
        [`${unit}/stdio/outputLines.test.ts`],
      ],
      [
        'skipped-answer-hangs',
        'While it runs',
        'if (reply !== undefined) {\n    sink.message(reply',
        'if (false) {\n    sink.message(reply',
        [`${unit}/hostileJson.test.ts`, `${unit}/stdio/outputLines.test.ts`],
      ],
      [
        'large-answer-hangs',
        'While it runs',
        'if (found?.[1] === undefined) {',
        'if (true) {',
        [`${unit}/stdio/outputLines.test.ts`],
      ],
      [
        'text-that-is-no-json-in-silence',
        'STDIO-05',
        `if (text.trim() !== '') {`,
        'if (false) {',
        [`${unit}/stdio/outputLines.test.ts`],
      ],
    ],
  ),
  ...mutantsOf(
    'src/mcp/types/message.ts',
    ['unit/mcp/types/message.test.ts'],
    [
      ['any-jsonrpc-version', 'BASE-01', `if (value['jsonrpc'] !== '2.0') {`, 'if (false) {'],
      ['null-as-id', 'BASE-02', `if ('id' in value && !isId(value['id'])) {`, 'if (false) {'],
      ['error-code-of-any-kind', 'BASE-05', `typeof error['code'] === 'number' && `, ''],
      ['null-error-is-one', 'BASE-04', ` && (message.error as unknown) !== null`, ''],
    ],
  ),
  ...mutantsOf(
    'src/mcp/transport/splitter.ts',
    [`${unit}/stdio/outputLines.test.ts`, `${unit}/http/sseStream.test.ts`],
    [
      [
        'large-piece-kept',
        'While it runs',
        'const isTooLarge = this.#partsBytes > maxBytes;',
        'const isTooLarge = false;',
      ],
      [
        'large-piece-in-one-chunk-read',
        'While it runs',
        'if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {',
        'if (false) {',
      ],
      [
        'piece-beyond-memory-kept',
        'Memory',
        'if (isTooLarge || !hasRoom) {\n      const',
        'if (isTooLarge) {\n      const',
      ],
      [
        'skipped-piece-without-its-end',
        'While it runs',
        'this.#skipped.tail = endOf([this.#skipped.tail, part]);',
        '',
      ],
      ['last-piece-lost', 'STDIO-03', 'this.#keep(chunk.subarray(start));\n    }\n  }', '}\n  }'],
    ],
  ),
  ...mutantsOf(
    'src/base/throttle.ts',
    ['unit/base/throttle.test.ts'],
    [
      ['flood-passes', 'LOG-05', 'if (this.#delivered < this.#options.perSecond) {', 'if (true) {'],
      ['flood-is-kept', 'LOG-05', 'if (this.#held.size > this.#options.maxHeld) {', 'if (false) {'],
    ],
  ),
];
