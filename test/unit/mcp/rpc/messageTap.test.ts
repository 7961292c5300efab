import assert from 'node:assert/strict';
import type { MessageObserver, MessageTap } from '../../../../src/mcp/messageTap.ts';
import type { RequestOptions } from '../../../../src/mcp/rpc/peer.ts';
import { Peer } from '../../../../src/mcp/rpc/rpcPeer.ts';
import { closedAfterTest } from '../../../support/closing.ts';
import { FakeTransport } from '../../../support/fakeTransport.ts';

const patient: RequestOptions = { idleMs: 30_000, totalMs: 60_000 };

/** Writes down what it is shown, as arrows and methods. */
class Notes implements MessageObserver {
  readonly lines: string[] = [];

  sent(message: object): void {
    this.lines.push(`→ ${label(message)}`);
  }

  received(message: object, during: string | number | undefined): void {
    this.lines.push(`← ${label(message)}${during === undefined ? '' : ` during ${during}`}`);
  }

  ofApp(): never {
    throw new Error('a peer knows no app');
  }

  exchanged(): never {
    throw new Error('a peer knows no HTTP');
  }
}

function label(message: object): string {
  const at = (name: string): string => String(Reflect.get(message, name) ?? '');
  return `${at('method') || 'reply'} ${at('id')}`.trim();
}

describe('MessageTap at a peer', () => {
  it('shows all that is sent and received, in order, a request of the server before its reply', async () => {
    const notes = new Notes();
    const transport = new FakeTransport().respond('tools/list', () => ({ tools: [] }));
    const peer = closedAfterTest(new Peer(transport, { observer: notes }));
    await peer.request('tools/list', {}, patient);
    await peer.notify('notifications/initialized');
    transport.push({ method: 'notifications/message', params: {} }, 1);
    transport.push({ id: 'a', method: 'ping' });
    const controller = new AbortController();
    const call = peer.request('tools/call', {}, { ...patient, signal: controller.signal });
    controller.abort();
    await assert.rejects(call);
    assert.deepEqual(notes.lines, [
      '→ tools/list 1',
      '← reply 1',
      '→ notifications/initialized',
      '← notifications/message during 1',
      '← ping a',
      '→ reply a',
      '→ tools/call 2',
      '→ notifications/cancelled',
    ]);
  });

  it('can be looked into, and left again, while the connection runs', async () => {
    const notes = new Notes();
    const tap: MessageTap = { observer: undefined };
    const transport = new FakeTransport().respond('ping', () => ({}));
    const peer = closedAfterTest(new Peer(transport, tap));
    await peer.request('ping', {}, patient);
    tap.observer = notes;
    await peer.request('ping', {}, patient);
    tap.observer = undefined;
    await peer.request('ping', {}, patient);
    assert.deepEqual(notes.lines, ['→ ping 2', '← reply 2']);
  });
});
