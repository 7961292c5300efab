import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/event.ts';
import { UnsolicitedStream } from '../../../src/bridge/eventStream.ts';
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
  const unsolicited = new UnsolicitedStream();
  sent.forEach((one) => unsolicited.send(one));
  const stream = new FakeStream();
  unsolicited.open(stream, () => undefined);
  return stream.sent;
}

describe('UnsolicitedStream', () => {
  it('keeps what comes before there is a stream, of equal changes the last, and each log message', () => {
    const [tools, prompts] = [changed('tools'), changed('prompts')];
    const sent = [tools, log('a'), prompts, log('a'), tools];
    assert.deepEqual(kept(sent), [log('a'), prompts, log('a'), tools]);
  });

  it('keeps the newest, bounded in number and in size', () => {
    const many = Array.from({ length: 500 }, (_, n) => log(String(n)));
    assert.deepEqual(kept(many), many.slice(-64));
    const tooLarge = log('x'.repeat(70_000));
    assert.deepEqual(kept([changed('tools'), tooLarge, log('a')]), [changed('tools'), log('a')]);
  });

  it('sends to the newest stream, and ends the one before', () => {
    const unsolicited = new UnsolicitedStream();
    let gone = 0;
    const [first, second] = [new FakeStream(), new FakeStream()];
    unsolicited.open(first, () => (gone += 1));
    unsolicited.open(second, () => (gone += 1));
    assert.deepEqual([gone, first.isOpen, second.isOpen], [1, false, true]);
    unsolicited.send(changed('tools'));
    assert.deepEqual([first.sent.length, second.sent.length], [0, 1]);
    unsolicited.dispose();
    assert.deepEqual([gone, unsolicited.isOpen, unsolicited.hadAny], [2, false, true]);
  });
});
