import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import { codesBelow, httpErrorIn } from '../../../../src/host/servers/errorOf.ts';
import { ServerOutput } from '../../../../src/host/servers/serverOutput.ts';
import { HttpError, isHttpError, McpError } from '../../../../src/mcp/errors.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

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

  it('LOG-05: writes 200 log messages of a second, and how many there were too many', () => {
    const { output, clock, lines } = create();
    for (let n = 0; n < 10_000; n++) {
      output.notification({ level: 'info', data: `message ${n}` });
    }
    assert.equal(lines.length, 200);
    clock.advance(1_000);
    assert.deepEqual(
      lines.slice(200),
      [
        '9800 log messages of the server are not shown: there were more than 200 in a second, which `limits.logMessagesPerSecond` of its entry can raise',
      ],
      'also when nothing comes after them',
    );
    output.notification({ level: 'info', data: 'later' });
    assert.equal(lines.at(-1), '[server] later');
    assert.equal(clock.pending, 0);
  });

  it('LOG-05: goes on to write when the clock is set back', () => {
    const { output, clock, lines } = create(1);
    output.notification({ level: 'info', data: 'before' });
    clock.sleep(-3_600_000);
    output.notification({ level: 'info', data: 'after' });
    assert.deepEqual(lines, ['[server] before', '[server] after']);
  });

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

  it('LOG-05: writes as many as the entry of the server says', () => {
    const { output, lines } = create(3);
    for (let n = 0; n < 10; n++) {
      output.notification({ level: 'info', data: `message ${n}` });
    }
    assert.equal(lines.length, 3);
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

  it('STDIO-06: keeps the last 20 lines of standard error, whatever their number', () => {
    const { output } = create();
    for (let n = 0; n < 1_000; n++) {
      output.diagnostic({ level: 'info', source: 'stderr', text: `line ${n}` });
    }
    assert.equal(output.lastStderr.length, 20);
    assert.equal(output.lastStderr[19], 'line 999');
  });
});
