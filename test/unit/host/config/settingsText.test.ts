import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readSettingsText } from '../../../../src/host/config/settingsText.ts';

function valueIn(text: string, setting: string): unknown {
  const read = readSettingsText(text);
  assert.ok('valueOf' in read);
  return read.valueOf(setting);
}

describe('readSettingsText', () => {
  it('VSC-02: reads what the editor reads: comments, commas at ends, nothing', () => {
    const servers = { a: { command: 'x' } };
    const text = `// mine\n{ "mcpHost.servers": ${JSON.stringify(servers)}, }`;
    assert.deepEqual(valueIn(text, 'mcpHost.servers'), servers);
    assert.equal(valueIn('', 'mcpHost.servers'), undefined);
    const ofWorkspace = JSON.stringify({ folders: [], settings: { 'mcpHost.servers': servers } });
    assert.deepEqual(valueIn(ofWorkspace, 'mcpHost.servers'), servers);
  });

  it('VSC-02: says in which line of a half written file the mistake is', () => {
    assert.deepEqual(readSettingsText('{\n  "mcpHost.servers": {'), {
      problem: 'is no JSON: line 2: close brace expected',
    });
    assert.deepEqual(readSettingsText('['.repeat(100_000)), { problem: 'is nested too deeply' });
  });
});
