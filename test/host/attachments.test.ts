/** What the user attached to a message, in the form that the model gets. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { attachments } from '../../src/vscode/chat/conversation.ts';

describe('attachments of a message', () => {
  const exchange = {
    services: { host: { servers: new Map() } },
    signal: new AbortController().signal,
    response: { markdown: () => assert.fail() },
  };

  it('are texts, images, and the names of what cannot be read', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const messages = await attachments(exchange, [
      { id: 'note', value: 'a text' },
      { id: 'pasted', value: { mimeType: 'image/png', data: async () => bytes } },
      { id: 'a problem', value: { diagnostics: [] } },
      { id: 'gone', value: vscode.Uri.file('/nowhere/at/all') },
    ]);
    assert.deepEqual(messages, [
      {
        role: 'user',
        parts: [
          {
            kind: 'text',
            text: [
              'Attached by the user:',
              '"note":\na text',
              '"a problem" cannot be read as text.',
              '"/nowhere/at/all" cannot be read as text.',
            ].join('\n\n'),
          },
        ],
      },
      { role: 'user', parts: [{ kind: 'data', mimeType: 'image/png', bytes }] },
    ]);
  });
});
