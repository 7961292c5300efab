import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';
import { ClientStreams } from '../../../src/bridge/clientStreams.ts';
import type { RpcMessage, RpcNotification } from '../../../src/mcp/types/message.ts';

class FakeStream {
  readonly #closed = new Emitter<void>();
  readonly onDidClose = this.#closed.event;
  readonly sent: RpcMessage[] = [];
  isOpen = true;

  send(message: RpcMessage): void {
    this.sent.push(message);
  }

  dispose(): void {
    this.isOpen = false;
    this.#closed.fire();
  }
}

function log(data: string): RpcNotification {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } };
}

function changed(list: string): RpcNotification {
  return { jsonrpc: '2.0', method: `notifications/${list}/list_changed` };
}

/** What a client gets that opens its stream after these were sent. */
function kept(sent: readonly RpcNotification[]): readonly RpcMessage[] {
  const streams = new ClientStreams();
  sent.forEach((one) => streams.send(one));
  const stream = new FakeStream();
  streams.add(stream, () => undefined);
  return stream.sent;
}

describe('ClientStreams', () => {
  it('keeps what comes before there is a stream, of equal announcements the last', () => {
    const [tools, prompts] = [changed('tools'), changed('prompts')];
    assert.deepEqual(kept([tools, log('a'), prompts, log('a'), tools]), [
      log('a'),
      prompts,
      log('a'),
      tools,
    ]);
  });

  it('keeps the newest, bounded in number and in size', () => {
    const many = Array.from({ length: 500 }, (_, n) => log(String(n)));
    assert.deepEqual(kept(many), many.slice(-200));
    const large = Array.from({ length: 10 }, (_, n) => log(String(n).repeat(1_000_000)));
    assert.deepEqual(kept(large), large.slice(-4));
    assert.deepEqual(kept([log('x'.repeat(5_000_000))]), []);
  });

  it('leaves out what is too large to wait, and keeps what waits already', () => {
    const tooLarge = log('x'.repeat(5_000_000));
    assert.deepEqual(kept([changed('tools'), tooLarge, log('a')]), [changed('tools'), log('a')]);
  });

  it('sends to the newest stream, and ends the oldest of more than four', () => {
    const streams = new ClientStreams();
    let gone = 0;
    const all = Array.from({ length: 5 }, () => new FakeStream());
    all.forEach((stream) => streams.add(stream, () => (gone += 1)));
    assert.deepEqual([gone, all.map(({ isOpen }) => isOpen)], [1, [false, true, true, true, true]]);
    streams.send(changed('tools'));
    all[4]?.dispose();
    streams.send(changed('prompts'));
    assert.deepEqual(
      all.map(({ sent }) => sent.length),
      [0, 0, 0, 1, 1],
    );
    streams.dispose();
    assert.deepEqual([gone, streams.isEmpty, streams.hadAny], [5, true, true]);
  });
});
