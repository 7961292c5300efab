import assert from 'node:assert/strict';
import { toServerEvent } from '../../../../src/mcp/era/serverEvents.ts';

describe('toServerEvent', () => {
  it('reads changes of lists and of single resources', () => {
    for (const kind of ['tools', 'prompts', 'resources']) {
      const method = `notifications/${kind}/list_changed`;
      assert.deepEqual(toServerEvent({ method, params: {} }), { kind: 'change', change: { kind } });
    }
    const method = 'notifications/resources/updated';
    assert.deepEqual(toServerEvent({ method, params: { uri: 'x:y', title: 'z' } }), {
      kind: 'change',
      change: { kind: 'resource', uri: 'x:y' },
    });
    assert.equal(toServerEvent({ method, params: {} }), undefined);
    assert.equal(toServerEvent({ method: 'notifications/other', params: {} }), undefined);
  });

  it('keeps what the server adds to them', () => {
    const added = { _meta: { 'example.com/note': 1 } };
    const toEvent = (name: string): unknown =>
      toServerEvent({ method: `notifications/${name}`, params: { uri: 'x:y', ...added } });
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      const change = { kind, ...added };
      assert.deepEqual(toEvent(`${kind}/list_changed`), { kind: 'change', change });
    }
    const change = { kind: 'resource', uri: 'x:y', ...added };
    assert.deepEqual(toEvent('resources/updated'), { kind: 'change', change });
    const message = { level: 'info', logger: undefined, data: undefined, ...added };
    assert.deepEqual(toEvent('message'), { kind: 'log', message });
  });

  const levels: readonly [unknown, string][] = [
    ['debug', 'debug'],
    ['emergency', 'emergency'],
    ['WARN', 'warning'],
    ['fatal', 'critical'],
    ['loud', 'info'],
    [undefined, 'info'],
    [3, 'info'],
  ];
  for (const [level, expected] of levels) {
    it(`LOG-02: level ${String(level)} is ${expected}`, () => {
      const event = toServerEvent({ method: 'notifications/message', params: { level } });
      assert.equal(event?.kind === 'log' && event.message.level, expected);
    });
  }

  it('LOG-03: takes any data, and a logger that is a text', () => {
    const method = 'notifications/message';
    for (const data of [null, 'x', 1, ['a'], { a: 1 }, undefined]) {
      assert.deepEqual(toServerEvent({ method, params: { level: 'info', logger: 1, data } }), {
        kind: 'log',
        message: { level: 'info', logger: undefined, data },
      });
    }
  });
});
