import assert from 'node:assert/strict';
import {
  callEditorTool,
  drawnInAnswer,
  type EditorTool,
} from '../../../../src/host/chat/editorTools.ts';
import { DrawnCalls } from '../../../../src/host/editorChat/drawnCalls.ts';
import type { ToolOutcome } from '../../../../src/host/tools/callTool.ts';
import type { Tool } from '../../../../src/mcp/types/lists.ts';
import { FakeAgentServer } from '../../../support/fakeAgent.ts';

const look: Tool = {
  name: 'look at',
  description: 'Looks',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  _meta: { ui: { resourceUri: 'ui://maps/look' } },
};
const inEditor = (name: string, description = 'Looks'): EditorTool => ({
  name,
  description,
  isOfServer: true,
});
const outcome: ToolOutcome = { kind: 'invalidInput', problems: [] };

class Setup {
  tools: readonly EditorTool[] = [inEditor('mcp_maps_go', 'Goes'), inEditor('mcp_maps_look_at')];
  introducedAs = 'maps';
  isInUse = true;
  showsApps = true;
  apps = true;
  readonly called: string[] = [];

  /** Whether the editor draws a call of the tool; it makes the call then. */
  async isDrawn(tool: Tool = look): Promise<boolean> {
    const server = new FakeAgentServer('maps', [tool], { apps: this.apps });
    const { id } = server;
    const bridge = {
      endpoint: () => ({
        server: id,
        label: 'maps',
        introducedAs: this.introducedAs,
        url: '',
        headers: {},
        version: '',
        isKnown: true,
        isInUse: this.isInUse,
      }),
      drawnCalls: new DrawnCalls(),
    };
    const draw = drawnInAnswer({
      editorTools: {
        all: () => this.tools,
        call: async (name, input) => {
          this.called.push(name);
          await bridge.drawnCalls.take({ server: id, tool: tool.name, input });
          return [];
        },
      },
      bridge: () => bridge,
      showsApps: () => this.showsApps,
    });
    const { signal } = new AbortController();
    const drawn = draw({ call: { server, tool }, input: {} }, async () => outcome, signal);
    assert.ok(drawn === undefined || (await drawn) === outcome);
    return drawn !== undefined;
  }
}

describe('The app of a call by @mcp', () => {
  it('is drawn by the editor, which calls the tool by its own name for it', async () => {
    const setup = new Setup();
    assert.ok(await setup.isDrawn());
    setup.tools = [inEditor('mcp_maps_look_at', '<empty>')];
    assert.ok(await setup.isDrawn({ ...look, description: '' }), 'without a description');
    assert.deepEqual(setup.called, ['mcp_maps_look_at', 'mcp_maps_look_at']);
  });

  it('is not drawn where the editor would ask about the tool', async () => {
    for (const annotations of [
      undefined,
      { destructiveHint: false },
      { readOnlyHint: true, openWorldHint: true },
    ]) {
      assert.ok(!(await new Setup().isDrawn({ ...look, annotations })));
    }
  });

  it('is not drawn where there is none, where apps are off, and where the editor does not use the server', async () => {
    const { _meta, ...plain } = look;
    assert.ok(!(await new Setup().isDrawn(plain)));
    assert.ok(!(await Object.assign(new Setup(), { showsApps: false }).isDrawn()));
    assert.ok(!(await Object.assign(new Setup(), { apps: false }).isDrawn()));
    assert.ok(!(await Object.assign(new Setup(), { isInUse: false }).isDrawn()));
  });

  it('is not drawn where the tool may be that of another server', async () => {
    const setup = new Setup();
    setup.introducedAs = 'cards';
    assert.ok(!(await setup.isDrawn()));
    setup.introducedAs = 'maps';
    setup.tools = [inEditor('mcp_maps_look_at'), inEditor('mcp_maps2_look_at')];
    assert.ok(!(await setup.isDrawn()));
    setup.tools = [{ ...inEditor('mcp_maps_look_at'), isOfServer: false }];
    assert.ok(!(await setup.isDrawn()));
    assert.deepEqual(setup.called, []);
  });
});

describe('A tool of the editor', () => {
  it('gives no image that is too large', async () => {
    const [small, large] = [10, 11].map(
      (size) => ({ kind: 'data', mimeType: 'image/png', bytes: new Uint8Array(size) }) as const,
    );
    assert.ok(small && large);
    const editorTools = { all: () => [], call: async () => [large, small] };
    const limits = { maxChars: 100, maxImageBytes: 10, maxImages: 2 };
    const { signal } = new AbortController();
    const { parts } = await callEditorTool(
      { editorTools, limits },
      { tool: 'x', input: {} },
      signal,
    );
    assert.deepEqual(parts.slice(1), [small]);
  });
});
