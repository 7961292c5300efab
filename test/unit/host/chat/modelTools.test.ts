import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { buildRegistry, type ToolRegistry } from '../../../../src/host/chat/modelTools.ts';
import { ToolSelection } from '../../../../src/host/chat/toolSelection.ts';
import { FakeAgentServer } from '../../../support/fakeAgent.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const all = { isOn: () => true };

function namesOf(registry: ToolRegistry): readonly string[] {
  return [...registry.offered.keys()];
}

function inFolder(name: string): FakeAgentServer {
  const scope = { kind: 'folder', uri: `file:///${name}`, name } as const;
  return new FakeAgentServer('same', ['go'], { scope });
}

describe('buildRegistry', () => {
  it('VSC-17: a name has server and tool in it where every provider accepts that', () => {
    const registry = buildRegistry([new FakeAgentServer('notes', ['add_note', 'get-all'])], all);
    assert.deepEqual(namesOf(registry), ['notes_add_note', 'notes_get-all']);
    assert.equal(registry.offered.get('notes_get-all')?.tool.name, 'get-all');
  });

  it('TRAP-33, TOOL-17: names that a provider refuses are replaced and lead back', () => {
    const tools = ['admin.users/list', 'über', 'x'.repeat(128), `${'x'.repeat(127)}y`];
    const server = new FakeAgentServer('My Server! with a long name', tools);
    const registry = buildRegistry([server, new FakeAgentServer('1st', ['go'])], all);
    for (const [name, { forModel }] of registry.offered) {
      assert.match(name, /^[A-Za-z_][\w-]{0,63}$/u);
      assert.equal(forModel.name, name);
    }
    assert.deepEqual(
      [...registry.offered.values()].map(({ tool }) => tool.name),
      [...tools, 'go'],
    );
  });

  it('names that would be equal, or are taken, are told apart, and stay the same when the order changes', () => {
    const servers = [
      new FakeAgentServer('a', ['b_c', 'alone']),
      new FakeAgentServer('a_b', ['c']),
      new FakeAgentServer('find', ['tools']),
      inFolder('x'),
      inFolder('y'),
    ];
    const names = namesOf(buildRegistry(servers, all));
    assert.equal(new Set(names).size, 6);
    assert.deepEqual(
      names.filter((name) => !/_[0-9a-f]{8}$/u.test(name)),
      ['a_alone'],
    );
    const others = namesOf(buildRegistry(servers.toReversed(), all));
    assert.deepEqual(names.toSorted(), others.toSorted());
  });

  it('HOST-09: names are unique and fit every provider, whatever servers call themselves', () => {
    const word = fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' });
    const server = fc.record({ name: word, tools: fc.uniqueArray(word, { maxLength: 5 }) });
    fc.assert(
      fc.property(
        fc.uniqueArray(server, { maxLength: 5, selector: ({ name }) => name }),
        (entries) => {
          const servers = entries.map(({ name, tools }) => new FakeAgentServer(name, tools));
          const { offered } = buildRegistry(servers, all);
          const count = entries.reduce((sum, { tools }) => sum + tools.length, 0);
          assert.equal(offered.size, count);
          for (const name of offered.keys()) {
            assert.match(name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/u);
          }
        },
      ),
    );
  });

  it('leaves out, with its reason, what no model can take', () => {
    const inputSchema = { type: 'object' };
    const server = new FakeAgentServer('s', [
      { name: 'list', inputSchema: { type: 'array' } },
      { name: 'slow', inputSchema, execution: { taskSupport: 'required' } },
      { name: 'maybe', inputSchema, execution: { taskSupport: 'optional' } },
    ]);
    const registry = buildRegistry([server], all);
    // TRAP-53: what runs as a task only is called as one.
    assert.deepEqual(namesOf(registry), ['s_slow', 's_maybe']);
    assert.deepEqual(
      registry.leftOut.map(({ tool, because }) => [tool.name, because.kind]),
      [['list', 'unusable']],
    );
  });

  it('APP-10: leaves out what is for apps alone, or for nobody', () => {
    const inputSchema = { type: 'object' };
    const tools = [['app'], ['app', 'model'], []].map((visibility, at) => ({
      name: `t${at}`,
      inputSchema,
      _meta: { ui: { visibility } },
    }));
    const registry = buildRegistry([new FakeAgentServer('s', tools)], all);
    assert.deepEqual(namesOf(registry), ['s_t1']);
    assert.deepEqual(
      registry.leftOut.map(({ because }) => because.kind),
      ['app', 'app'],
    );
  });

  it('HOST-10, VSC-03: a tool that is switched off is left out until it is on again', async () => {
    const selection = new ToolSelection(new FakeMemory());
    const server = new FakeAgentServer('s', ['a', 'b', 'c']);
    await selection.set([
      [server.id, 'b'],
      ['user/other', 'c'],
    ]);
    assert.deepEqual(namesOf(buildRegistry([server], selection)), ['s_a', 's_c']);
    await selection.set([[server.id]]);
    assert.deepEqual(namesOf(buildRegistry([server], selection)), []);
    await selection.set([]);
    assert.deepEqual(namesOf(buildRegistry([server], selection)), ['s_a', 's_b', 's_c']);
  });

  it('a description names the server and stays short enough for every provider', () => {
    const server = new FakeAgentServer('s', [
      { name: 'a', description: 'x'.repeat(5_000), inputSchema: {} },
      { name: 'b', title: 'Bee', inputSchema: {} },
    ]);
    const { offered } = buildRegistry([server], all);
    const long = offered.get('s_a')?.forModel.description ?? '';
    assert.equal(long.length, 1_000);
    assert.match(long, /… \(tool of the MCP server "s"\)$/u);
    assert.match(offered.get('s_b')?.forModel.description ?? '', /^Bee /u);
  });
});
