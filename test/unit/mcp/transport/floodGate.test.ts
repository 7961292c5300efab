import assert from 'node:assert/strict';
import { FloodGate } from '../../../../src/mcp/transport/floodGate.ts';

describe('FloodGate', () => {
  it('lets a bounded number of lines through in a second and keeps the last ones', () => {
    let now = 0;
    const lines: string[] = [];
    const gate = new FloodGate(
      (line) => lines.push(line),
      () => now,
    );
    for (let index = 0; index < 10_000; index += 1) {
      gate.write(`line ${index}`);
    }
    assert.equal(lines.length, 500);
    now = 1_001;
    gate.write('later');
    const rest = lines.slice(500);
    assert.equal(rest.length, 22);
    assert.equal(rest[0], '(9480 lines left out: more than 500 in a second)');
    assert.deepEqual([rest[1], rest[20], rest[21]], ['line 9980', 'line 9999', 'later']);
  });

  it('lets as many through as it is told, and says how to have more', () => {
    const lines: string[] = [];
    const gate = new FloodGate(
      (line) => lines.push(line),
      () => 0,
      { maxLines: 7, hint: 'which `x` raises' },
    );
    for (let index = 0; index < 100; index += 1) {
      gate.write(`line ${index}`);
    }
    assert.equal(lines.length, 7);
    gate.end();
    assert.equal(lines[7], '(73 lines left out: more than 7 in a second, which `x` raises)');
  });

  it('emits what it held back at the end', () => {
    const lines: string[] = [];
    const gate = new FloodGate(
      (line) => lines.push(line),
      () => 0,
    );
    for (let index = 0; index < 503; index += 1) {
      gate.write(`line ${index}`);
    }
    gate.end();
    assert.deepEqual(lines.slice(-4), ['line 499', 'line 500', 'line 501', 'line 502']);
  });
});
