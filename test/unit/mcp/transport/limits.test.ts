import assert from 'node:assert/strict';
import { sizeText } from '../../../../src/mcp/transport/limits.ts';
import { errorReply } from '../../../../src/mcp/transport/messageText.ts';

function idOf(text: string): unknown {
  const reply = errorReply(text.slice(0, 100), text.slice(-100), 'is too large');
  assert.ok(reply === undefined || ('error' in reply && /too large/u.test(reply.error.message)));
  return reply !== undefined && 'id' in reply ? reply.id : undefined;
}
const large = JSON.stringify({ text: `,"id":9}${'x'.repeat(500)},"id":9` });

describe('size limits', () => {
  it('are told in the largest unit that fits, with what raises them', () => {
    const mebi = 1024 * 1024;
    assert.equal(sizeText(64 * mebi), '64 MiB');
    assert.equal(sizeText(1_000, 'which x raises'), '1000 bytes, which x raises');
  });

  it('know whose reply a text was, wherever its id stands', () => {
    assert.equal(idOf(`{"jsonrpc":"2.0","id":7,"result":${large}}`), 7);
    assert.equal(idOf(`{ "id" : "a-7" , "jsonrpc" : "2.0" , "result" : ${large} }`), 'a-7');
    assert.equal(idOf(`{"result":${large},"jsonrpc":"2.0","id":7}`), 7);
    assert.equal(idOf(`{"error":${large},"id":7,"jsonrpc":"2.0"}\r`), 7);
    assert.equal(idOf(`{"jsonrpc":"2.0","result":${large},"id":-7}`), -7);
  });

  it('take nothing else for a reply', () => {
    for (const text of [
      `{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":${large}}`,
      `{"method":"ping","params":${large},"jsonrpc":"2.0","id":7}`,
      `{"jsonrpc":"2.0","method":"notifications/message","params":${large}}`,
      `{"result":${large}}`,
      `[{"jsonrpc":"2.0","id":7,"result":${large}}]`,
      `{"jsonrpc":"2.0","id":{"id":7},"result":${large}}`,
      `"${'x'.repeat(600)}"`,
      '',
    ]) {
      assert.equal(idOf(text), undefined, text.slice(0, 60));
    }
  });
});
