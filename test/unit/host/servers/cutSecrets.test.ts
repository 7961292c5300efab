/** Wherever something that a server wrote is cut before it comes to the redactor, half of a secret must not come through. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLog, Redactor } from '../../../../src/base/log.ts';
import { redactedError } from '../../../../src/host/servers/redactedError.ts';
import { ServerOutput } from '../../../../src/host/servers/serverOutput.ts';
import type { Diagnostic } from '../../../../src/mcp/session/session.ts';
import { HttpError } from '../../../../src/mcp/errors.ts';
import { refusalError, sessionLossError } from '../../../../src/mcp/transport/http/httpErrors.ts';
import { LineDecoder } from '../../../../src/mcp/transport/stdio/lineDecoder.ts';
import { readMessages } from '../../../../src/mcp/transport/messageText.ts';
import { StderrLines } from '../../../../src/mcp/transport/stdio/stderrLines.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

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
function decode(written: string, maxLineBytes?: number): readonly string[] {
  return toldBy((diagnose) => {
    const onProblem = (text: string, line?: string): void =>
      diagnose({ level: 'warn', source: 'stdout', text, ...(line === undefined ? {} : { line }) });
    const decoder = new LineDecoder({ onMessage: () => undefined, onProblem, maxLineBytes });
    decoder.push(Buffer.from(`${written}\n`));
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
      for (const error of [refusalError(place, refusal), sessionLossError(refusal)]) {
        const shown = redactedError(error, redactor);
        assert.ok(shown instanceof HttpError);
        assert.notEqual(shown.bodyExcerpt, '');
        assertSecretIsOut([shown.bodyExcerpt, shown.message]);
      }
    }
  });
});
