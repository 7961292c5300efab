import assert from 'node:assert/strict';
import { nameInEditor, runsUnasked } from '../../../../src/host/chat/editorTools.ts';

const look = { name: 'look at', description: 'Looks', inputSchema: { type: 'object' } } as const;
const inEditor = (name: string, isOfServer = true) => ({ name, description: 'Looks', isOfServer });
const isUnasked = (annotations?: object): boolean => runsUnasked({ ...look, annotations });

describe('A tool of the bridge in the editor', () => {
  it('has the name that the editor made from the names of server and tool', () => {
    const tools = [inEditor('mcp_maps_go'), inEditor('mcp_maps_look_at')];
    assert.equal(nameInEditor(tools, 'maps', look), 'mcp_maps_look_at');
    assert.equal(nameInEditor(tools, 'cards', look), undefined);
    assert.equal(nameInEditor([inEditor('mcp_maps_look_at', false)], 'maps', look), undefined);
  });

  it('is known without a description, too', () => {
    const { description: _description, ...plain } = look;
    const tool = { ...inEditor('mcp_maps_look_at'), description: '<empty>' };
    assert.equal(nameInEditor([tool], 'maps', plain), 'mcp_maps_look_at');
  });

  it('is not found where a server of the editor has one like it', () => {
    const tools = [inEditor('mcp_maps_look_at'), inEditor('mcp_maps2_look_at')];
    assert.equal(nameInEditor(tools, 'maps', look), undefined);
  });

  it('runs without a question of the editor only if it reads, and nothing from outside', () => {
    assert.equal(isUnasked({ readOnlyHint: true }), true);
    assert.equal(isUnasked({ readOnlyHint: true, openWorldHint: true }), false);
    assert.equal(isUnasked({ destructiveHint: false }), false);
    assert.equal(isUnasked(), false);
  });
});
