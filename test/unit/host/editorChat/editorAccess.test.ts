import assert from 'node:assert/strict';
import {
  blockingSetting,
  type EditorAccess,
  suspectSetting,
} from '../../../../src/host/editorChat/editorAccess.ts';
import { openAccess } from '../../../support/editorAccess.ts';

const blocking = (more: Partial<EditorAccess>): string | undefined =>
  blockingSetting({ ...openAccess, ...more }, 'files');
const suspect = (more: Partial<EditorAccess>): string | undefined =>
  suspectSetting({ ...openAccess, ...more });

describe('what the editor allows', () => {
  it('is everything where nothing is set, also in an editor that knows none of the settings', () => {
    assert.equal(blocking({}), undefined);
    assert.equal(suspect({}), undefined);
    const unknown = Object.fromEntries(Object.keys(openAccess).map((key) => [key, undefined]));
    assert.equal(blocking(unknown), undefined);
    assert.equal(suspect(unknown), undefined);
  });

  it('is nothing with these settings', () => {
    assert.equal(blocking({ access: 'none' }), 'chat.mcp.access');
    assert.equal(
      blocking({ strictPluginOnlyCustomization: true }),
      'chat.customizations.strictPluginOnlyCustomization',
    );
    assert.equal(blocking({ disableAIFeatures: true }), 'chat.disableAIFeatures');
  });

  it('follows lists of names', () => {
    const files = [{ serverName: 'files' }];
    const others = [{ serverName: 'others' }, 5];
    assert.equal(blocking({ deniedServers: files }), 'chat.mcp.deniedServers');
    assert.equal(blocking({ deniedServers: others }), undefined);
    assert.equal(blocking({ allowedServers: files }), undefined);
    assert.equal(blocking({ allowedServers: others }), 'chat.mcp.allowedServers');
    assert.equal(blocking({ allowedServers: [] }), 'chat.mcp.allowedServers');
  });

  it('leaves rules by URL to the editor', () => {
    const byUrl = [{ serverUrl: 'http://127.0.0.1:*/*' }];
    assert.equal(blocking({ allowedServers: byUrl }), undefined);
    assert.equal(suspect({ allowedServers: byUrl }), 'chat.mcp.allowedServers');
    assert.equal(suspect({ deniedServers: byUrl }), 'chat.mcp.deniedServers');
  });

  it('names what may be the cause', () => {
    assert.equal(suspect({ access: 'registry' }), 'chat.mcp.access');
    assert.equal(suspect({ allowManagedServersOnly: true }), 'chat.mcp.allowManagedServersOnly');
  });
});
