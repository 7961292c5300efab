import assert from 'node:assert/strict';
import { workspaceIdOf } from '../../../../src/host/config/workspace.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const idIn = (memory: FakeMemory, place = 'file:///workspaces/app'): string =>
  workspaceIdOf(place, memory, (error) => assert.fail(String(error)));

describe('the id of a workspace', () => {
  it('is kept, and differs from that of a workspace with the same path on another machine', () => {
    const memory = new FakeMemory();
    const id = idIn(memory);
    assert.match(id, /^file:\/\/\/workspaces\/app [\da-f-]{36}$/u);
    assert.equal(idIn(memory), id);
    assert.notEqual(idIn(new FakeMemory()), id);
  });

  it('is empty where there is no workspace', () => {
    const memory = new FakeMemory();
    assert.equal(idIn(memory, ''), '');
    assert.equal(memory.values.size, 0);
  });
});
