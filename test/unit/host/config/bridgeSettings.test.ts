import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseBridgeSettings } from '../../../../src/host/config/bridgeSettings.ts';

const nothing = { enabled: undefined, confirmation: undefined };

describe('bridge settings', () => {
  it('are on and ask, unless said otherwise', () => {
    assert.deepEqual(parseBridgeSettings(nothing), {
      settings: { isEnabled: true, confirmation: 'mcpHost' },
      problems: [],
    });
    assert.deepEqual(parseBridgeSettings({ enabled: null, confirmation: null }).problems, []);
  });

  it('take what is valid', () => {
    assert.deepEqual(parseBridgeSettings({ enabled: false, confirmation: 'vscode' }), {
      settings: { isEnabled: false, confirmation: 'vscode' },
      problems: [],
    });
  });

  it('say what is wrong, and ask all the same', () => {
    const { settings, problems } = parseBridgeSettings({ enabled: 'no', confirmation: 'VSCode' });
    assert.deepEqual(settings, { isEnabled: true, confirmation: 'mcpHost' });
    assert.deepEqual(
      problems.map(({ setting, message }) => `${setting} ${message}`),
      [
        'mcpHost.bridge.enabled must be true or false, not a text',
        'mcpHost.bridge.confirmation must be "mcpHost" or "vscode", not "VSCode"; until then this extension asks',
      ],
    );
  });

  it('name the type of a value that is no text', () => {
    const { problems } = parseBridgeSettings({ ...nothing, confirmation: true });
    assert.match(problems[0]?.message ?? '', /not (?:a|true|false|boolean)/);
  });
});
