import assert from 'node:assert/strict';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import type { ServerConfig } from '../../../../src/host/config/serverConfig.ts';
import { WorkspaceSwitches } from '../../../../src/host/config/workspaceSwitches.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

describe('servers switched for this workspace', () => {
  const servers = { on: { command: 'x' }, off: { command: 'x', enabled: false } };
  const memory = new FakeMemory();
  const switches = new WorkspaceSwitches(memory);

  const read = (): readonly ServerConfig[] =>
    parseConfig([{ scope: { kind: 'user' }, servers, inputs: [] }], {
      allowsInsecureTls: false,
      switches: switches.servers,
    }).servers;
  const states = (): unknown => read().map(({ isEnabled, isSwitched }) => [isEnabled, isSwitched]);

  it('are as switched, whatever their entries say, until they are as their entries say', async () => {
    let changes = 0;
    switches.onDidChange(() => {
      changes += 1;
    });
    const asEntered = [
      [true, undefined],
      [false, undefined],
    ];
    assert.deepEqual(states(), asEntered);
    for (const server of read()) await switches.set(server, !server.isEnabled);
    assert.deepEqual(states(), [
      [false, true],
      [true, true],
    ]);
    for (const server of read()) await switches.set(server, !server.isEnabled);
    assert.deepEqual(states(), asEntered);
    assert.equal(switches.servers.size, 0);
    assert.equal(changes, 4);
  });

  it('keep whose prompts the chat does not get', async () => {
    let changes = 0;
    switches.onDidChangePrompts(() => {
      changes += 1;
    });
    assert.deepEqual([...switches.promptsOff], []);
    await switches.setPromptsOff(['user/on']);
    assert.deepEqual([[...switches.promptsOff], changes], [['user/on'], 1]);
  });

  it('are as entered where the memory is damaged', async () => {
    await memory.set('mcpHost.switchedServers', { 'user/on': 'no', other: null });
    assert.equal(switches.servers.size, 0);
  });
});
