import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { BridgeConfirmation } from '../../../../src/host/config/bridgeSettings.ts';
import { approveWith } from '../../../../src/host/editorChat/approveTool.ts';
import { isMcpError } from '../../../../src/mcp/errors.ts';
import { FakeApprovals } from '../../../support/fakeApprovals.ts';
import { stdioServer } from '../../../support/serverConfigs.ts';

const tool = { name: 'echo', inputSchema: { type: 'object' } } as const;
const input = { message: 'hello' };
const { signal } = new AbortController();

function approver(confirmation: BridgeConfirmation) {
  const fake = new FakeApprovals();
  const approve = approveWith(fake.approvals, () => ({ isEnabled: true, confirmation }));
  return { fake, approve: () => approve(stdioServer('a'), tool, input, signal) };
}

describe('a call from the editor’s chat', () => {
  it('HOST-06: is asked about as a call of a model, and sent as the user saw it last', async () => {
    const { fake, approve } = approver('mcpHost');
    fake.answer = () => ({ kind: 'allow', input: { message: 'bye' }, scope: 'session' });
    assert.deepEqual(await approve(), { message: 'bye' });
    assert.equal(fake.asked[0]?.caller, 'model');
    assert.deepEqual(await approve(), input, 'remembered with the answers of @mcp');
    assert.equal(fake.asked.length, 1);
  });

  it('TOOL-05: fails when the user refuses', async () => {
    const { fake, approve } = approver('mcpHost');
    fake.answer = () => ({ kind: 'deny' });
    await assert.rejects(approve(), (error) => isMcpError(error) && error.code === 'denied');
  });

  it('is let through where the editor alone confirms', async () => {
    const { fake, approve } = approver('vscode');
    assert.deepEqual(await approve(), input);
    assert.deepEqual(fake.asked, []);
  });
});
