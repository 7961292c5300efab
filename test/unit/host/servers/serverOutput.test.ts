import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import {
  codesBelow,
  httpErrorIn,
  HttpError,
  isHttpError,
  McpError,
} from '../../../../src/mcp/errors.ts';
import { ServerOutput, redactedError } from '../../../../src/host/servers/serverOutput.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import type { Diagnostic } from '../../../../src/mcp/session/session.ts';
import { refusalError, sessionLossError } from '../../../../src/mcp/transport/http/httpErrors.ts';
import { readMessages } from '../../../../src/mcp/transport/messageText.ts';
import { MessageLines, StderrLines } from '../../../../src/mcp/transport/stdio/outputLines.ts';

function create(perSecond?: number): {
  readonly output: ServerOutput;
  readonly clock: FakeClock;
  readonly lines: readonly string[];
} {
  const lines: string[] = [];
  const redactor = new Redactor();
  const clock = new FakeClock();
  const log = createLog((_severity, line) => lines.push(line), redactor);
  return { output: new ServerOutput({ log, redactor }, clock, perSecond), clock, lines };
}

describe('ServerOutput', () => {
  it('keeps secrets out of an answer of HTTP, and what else it says', () => {
    const { output } = create();
    output.addSecrets(['hidden-4711']);
    const error = output.toError(
      new HttpError('unauthorized', 401, 'no', '{"you sent":"hidden-4711"}', 5_000),
    );
    assert.ok(isHttpError(error));
    const { code, status, bodyExcerpt, retryAfterMs } = error;
    assert.deepEqual(
      [code, status, bodyExcerpt, retryAfterMs],
      ['unauthorized', 401, '{"you sent":"***"}', 5_000],
    );
  });

  it('keeps secrets out of what is below an error, and its codes', () => {
    const { output } = create();
    output.addSecrets(['geheim']);
    const answer = new HttpError('http', 410, 'HTTP 410', 'no geheim here');
    const lost = output.toError(new McpError('closed', 'lost geheim', { cause: answer }));
    assert.deepEqual([lost.code, httpErrorIn(lost)?.status], ['closed', 410]);
    const refused = Object.assign(new Error('connect geheim'), { code: 'ECONNREFUSED' });
    const unreachable = output.toError(new McpError('unreachable', 'no', { cause: refused }));
    assert.deepEqual(codesBelow(unreachable), ['ECONNREFUSED']);
    assert.doesNotMatch(inspect([lost, unreachable]), /geheim/u);
    const harmless = new McpError('timeout', 'late');
    assert.equal(output.toError(harmless), harmless);
  });

  for (const [who, perSecond] of [
    ['by default', undefined],
    ['for an entry that says so', 3],
  ] as const) {
    it(`LOG-05: writes ${perSecond ?? 200} log messages of a second ${who}, and how many there were too many`, () => {
      const { output, clock, lines } = create(perSecond);
      const max = perSecond ?? 200;
      for (let n = 0; n < 10_000; n++) {
        output.notification({ level: 'info', data: `message ${n}` });
      }
      assert.equal(lines.length, max);
      clock.advance(1_000);
      const dropped = `${10_000 - max} log messages of the server are not shown: there were more than ${max} in a second, which \`limits.logMessagesPerSecond\` of its entry can raise`;
      assert.deepEqual(lines.slice(max), [dropped], 'also when nothing comes after them');
      output.notification({ level: 'info', data: 'later' });
      assert.equal(lines.at(-1), '[server] later');
      assert.equal(clock.pending, 0);
    });
  }

  it('STDIO-05: keeps the first line on standard output that is no message as it came', () => {
    const { output, lines } = create();
    output.addSecrets(['geheim']);
    const stray = { level: 'warn', source: 'stdout' } as const;
    output.diagnostic({ ...stray, text: 'Skipped: key geheim', line: 'key geheim' });
    output.diagnostic({ ...stray, text: 'Skipped: another', line: 'another' });
    assert.equal(output.strayOutput, 'key ***');
    assert.deepEqual(lines, ['Skipped: key ***', 'Skipped: another']);
    output.forget();
    output.diagnostic({ ...stray, text: 'Skipped: more' });
    assert.equal(output.strayOutput, 'Skipped: more');
  });

  it('leaves nothing of a secret behind where it cuts a text', () => {
    const { output, lines } = create();
    const secret = 'geheim-geheim-geheim';
    output.addSecrets([secret]);
    const long = (chars: number): string => `${'x'.repeat(chars - 10)}${secret}`;
    output.diagnostic({ level: 'info', source: 'stderr', text: long(1_000) });
    output.diagnostic({ level: 'warn', source: 'stdout', text: long(1_000) });
    output.diagnostic({ level: 'warn', source: 'transport', text: long(10_000) });
    output.notification({ level: 'info', logger: long(100), data: long(10_000) });
    for (const text of [...lines, ...output.lastStderr, output.strayOutput ?? '']) {
      assert.doesNotMatch(text, /geh/u);
    }
  });

  it('writes 200 observations of a connection in a second, apart from log messages, each bounded', () => {
    const { output, clock, lines } = create();
    for (let n = 0; n < 10_000; n++) {
      output.diagnostic({ level: 'warn', source: 'transport', text: 'x'.repeat(20_000) });
    }
    output.notification({ level: 'info', data: 'still heard' });
    assert.equal(lines.length, 201);
    assert.equal(lines[0]?.length, 10_000);
    clock.advance(1_000);
    output.diagnostic({ level: 'warn', source: 'transport', text: 'later' });
    assert.match(lines[201] ?? '', /^9800 reports about its connection are not shown/);
    assert.equal(lines.at(-1), 'later');
  });

  it('STDIO-06: writes 500 lines of standard error in a second, and keeps the last 20', () => {
    const { output, clock, lines } = create();
    for (let n = 0; n < 1_000; n++) {
      output.diagnostic({ level: 'info', source: 'stderr', text: `line ${n}` });
    }
    assert.equal(output.lastStderr.length, 20);
    assert.equal(output.lastStderr[19], 'line 999');
    assert.equal(lines.length, 500);
    clock.advance(1_000);
    assert.match(lines[500] ?? '', /^480 lines on standard error are not shown/);
    assert.deepEqual(
      [lines.length, lines[501], lines[520]],
      [521, '[stderr] line 980', '[stderr] line 999'],
    );
  });
});

// Wherever something that a server wrote is cut before it comes to the redactor, half of a secret must not come through.
const secret = 'sk-abcdefghijklmnopqrstuvwxyz0123456789';

/** What is long enough to be cut after `chars`, with the secret across the cut: all but its last character is kept. */
function across(chars: number): string {
  return `${'x'.repeat(chars - secret.length + 1)}${secret} and more`;
}

/** What the log and the memory of a server's output hold of what it was told. */
function toldBy(tell: (diagnose: (diagnostic: Diagnostic) => void) => void): readonly string[] {
  const lines: string[] = [];
  const redactor = new Redactor();
  const log = createLog((_, line) => lines.push(line), redactor);
  const output = new ServerOutput({ log, redactor }, new FakeClock());
  output.addSecrets([secret]);
  tell((diagnostic) => output.diagnostic(diagnostic));
  assert.notEqual(lines.length, 0);
  return [...lines, ...output.lastStderr, output.strayOutput ?? ''];
}

function assertSecretIsOut(texts: readonly string[]): void {
  for (const text of texts) {
    assert.doesNotMatch(text, /sk-a/u);
  }
}

/** What is told of a line on standard output. */
function decode(written: string, maxMessageBytes = 1_000_000): readonly string[] {
  return toldBy((diagnose) => {
    const problem = (text: string, line?: string): void =>
      diagnose({ level: 'warn', source: 'stdout', text, line });
    const lines = new MessageLines({ message: () => undefined, problem }, { maxMessageBytes });
    lines.push(Buffer.from(`${written}\n`));
  });
}

describe('secrets at a cut', () => {
  it('are not in what is told of a line on standard output', () => {
    assertSecretIsOut(decode(across(199)));
    assertSecretIsOut(decode(across(200)));
    assertSecretIsOut(decode(across(1_024)));
    assertSecretIsOut(decode(`${across(1_024)}${'y'.repeat(3_000)}`, 2_000));
    assertSecretIsOut(decode(`${' '.repeat(900)}${across(124)}${'y'.repeat(3_000)}`, 2_000));
    assertSecretIsOut(decode(`${across(200)}${'y'.repeat(3_000)}`, 2_000));
    assertSecretIsOut(decode(JSON.stringify({ text: across(189) })));
  });

  it('are not in a line of standard error', () => {
    const lines = toldBy((diagnose) => {
      const stderr = new StderrLines((text) => diagnose({ level: 'info', source: 'stderr', text }));
      stderr.push(Buffer.from(`${across(8_192)}\n`));
      stderr.end();
    });
    assertSecretIsOut(lines);
  });

  it('are not in what is told of a text that is no JSON', () => {
    for (const chars of [199, 200]) {
      const lines = toldBy((diagnose) =>
        readMessages(across(chars), {
          message: () => undefined,
          problem: (text) => diagnose({ level: 'warn', source: 'transport', text }),
        }),
      );
      assertSecretIsOut(lines);
    }
  });

  it('are not in what an error quotes of an answer', () => {
    const redactor = new Redactor();
    redactor.add(secret);
    for (const chars of [1_999, 2_000]) {
      const refusal = { status: 500, name: '', body: across(chars) };
      const place = { origin: 'http://127.0.0.1' };
      for (const error of [refusalError(place, refusal, {}), sessionLossError(refusal)]) {
        const shown = redactedError(error, redactor);
        assert.ok(shown instanceof HttpError);
        assert.notEqual(shown.bodyExcerpt, '');
        assertSecretIsOut([shown.bodyExcerpt, shown.message]);
      }
    }
  });
});
