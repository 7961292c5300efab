/** The selection of tools: what a click on a box means, what presets hold, what is kept. */
import assert from 'node:assert/strict';
import {
  boxOf,
  countOff,
  editorGroup,
  maxPresets,
  sharedPresets,
  ToolChoice,
  ToolPresets,
  type OffList,
  ToolSelection,
} from '../../../../src/host/chat/toolSelection.ts';
import { FakeMemory } from '../../../support/fakeApprovals.ts';

const servers = [
  { serverId: 'x', tools: ['a', 'b', 'c'] },
  { serverId: 'y', tools: ['a'] },
];

function choose(off: OffList = []): {
  readonly choice: ToolChoice;
  readonly drawn: () => readonly string[];
  /** Clicks boxes as the editor reports it: all that are checked then. */
  readonly click: (...boxes: readonly string[]) => boolean;
} {
  const choice = new ToolChoice(servers, off);
  const drawn = (): readonly string[] =>
    [...choice.checked].map((box): string => JSON.parse(box).join('.'));
  const click = (...boxes: readonly string[]): boolean => {
    const before = drawn();
    const after = [
      ...before.filter((box) => !boxes.includes(box)),
      ...boxes.filter((box) => !before.includes(box)),
    ];
    return choice.click(new Set(after.map((box) => JSON.stringify(box.split('.')))));
  };
  return { choice, drawn, click };
}

describe('The selection of tools', () => {
  it('VSC-03: begins with everything on, and a server’s box stands for all of its tools', () => {
    const { choice, drawn, click } = choose();
    assert.deepEqual(drawn(), ['x', 'y', 'x.a', 'x.b', 'x.c', 'y.a']);
    assert.deepEqual([choice.count, choice.total], [4, 4]);
    assert.equal(click('x'), true);
    assert.deepEqual(drawn(), ['y', 'y.a']);
    assert.equal(click('x'), true);
    assert.equal(choice.count, 4);
  });

  it('unchecks the box of a server with one of its tools, and checks it with the last', () => {
    const { drawn, click } = choose();
    assert.equal(click('x.b'), true);
    assert.deepEqual(drawn(), ['y', 'x.a', 'x.c', 'y.a']);
    assert.equal(click('x.c'), false);
    assert.deepEqual(drawn(), ['y', 'x.a', 'y.a']);
    assert.equal(click('x.b', 'x.c'), true);
    assert.deepEqual(drawn(), ['x', 'y', 'x.a', 'x.b', 'x.c', 'y.a']);
  });

  it('VSC-03: has tools of the editor off until they are chosen, also those that come later', () => {
    const shown = [...servers, { serverId: editorGroup, tools: ['read', 'write'] }];
    const choice = new ToolChoice(shown, [['x', 'a']]);
    assert.equal(choice.count, 3);
    choice.click(new Set([...choice.checked, boxOf(editorGroup, 'read')]));
    assert.deepEqual(choice.off, [
      ['x', 'a'],
      [editorGroup, 'read'],
    ]);
    assert.deepEqual(countOff(choice.off), { servers: 0, tools: 1 });
    const more = { serverId: editorGroup, tools: ['read', 'write', 'new'] };
    const later = new ToolChoice([...servers, more], choice.off);
    assert.deepEqual(
      [...later.checked].filter((box) => box.includes(editorGroup)),
      [boxOf(editorGroup, 'read')],
    );
  });

  it('takes all boxes at once, as the box above the list does', () => {
    const { choice, drawn, click } = choose();
    assert.equal(click(...drawn()), false);
    assert.equal(choice.count, 0);
    click('x', 'y', 'x.a', 'x.b', 'x.c', 'y.a');
    assert.equal(choice.count, 4);
  });

  it('is kept as what is off: a server without any tool as a whole, others tool by tool', () => {
    const { choice, click } = choose();
    click('x.b');
    click('y');
    assert.deepEqual(choice.off, [['x', 'b'], ['y']]);
    click('y.a');
    assert.deepEqual(choice.off, [['x', 'b']]);
  });

  it('keeps what is not shown: servers that are stopped, tools that are not listed now', () => {
    const off: OffList = [['gone'], ['other', 't'], ['x', 'old'], ['x', 'a']];
    const { choice, click } = choose(off);
    assert.deepEqual(choice.off, off);
    click('x.a');
    assert.deepEqual(choice.off, [['gone'], ['other', 't'], ['x', 'old']]);
    click('x');
    assert.deepEqual(choice.off, [['gone'], ['other', 't'], ['x']]);
  });

  it('takes a preset in place of all, and can be changed after that', () => {
    const { choice, drawn, click } = choose([['x', 'a'], ['gone']]);
    choice.use([['y'], ['far', 't']]);
    assert.deepEqual(drawn(), ['x', 'x.a', 'x.b', 'x.c']);
    click('y.a');
    assert.deepEqual(choice.off, [['far', 't']]);
  });

  it('tells those who list tools of a change, and drops what it cannot read', async () => {
    const memory = new FakeMemory();
    const selection = new ToolSelection(memory);
    let changes = 0;
    selection.onDidChange(() => (changes += 1));
    await selection.set([['x', 'a'], ['y']]);
    assert.equal(changes, 1);
    const isOn = (serverId: string, tool: string): boolean => selection.isOn({ serverId, tool });
    assert.deepEqual(
      [isOn('x', 'a'), isOn('x', 'new'), isOn('y', 'new'), isOn('z', 'a')],
      [false, true, false, true],
    );
    await memory.set('mcpHost.toolsOff', [['x', 'a'], [], ['x', 1], 'x', ['x', 'a', 'b']]);
    assert.deepEqual(selection.off, [['x', 'a']]);
  });
});

describe('Presets of tools', () => {
  it('of the settings name what is on; every other server is off', () => {
    const offered = [
      { id: 'user/x', name: 'x', tools: ['a', 'b'] },
      { id: 'user/y', name: 'y', tools: ['c'] },
      { id: 'user/z', name: 'z', tools: [] },
    ];
    const setting = {
      docs: { x: ['a', 'later'], z: true },
      odd: { x: [], y: 'all', z: ['later'], constructor: true },
      wrong: ['x'],
    };
    assert.deepEqual(sharedPresets(setting, offered), [
      { name: 'docs', off: [['user/x', 'b'], ['user/y']] },
      { name: 'odd', off: [['user/x'], ['user/y'], ['user/z']] },
    ]);
    assert.deepEqual(sharedPresets(undefined, offered), []);
    assert.deepEqual(sharedPresets('x', offered), []);
  });

  it('are saved under a name, replaced, deleted, and bounded', async () => {
    const memory = new FakeMemory();
    const presets = new ToolPresets(memory);
    await presets.save('docs', [['x', 'a']]);
    await presets.save('none', [['x'], ['y']]);
    await presets.save('docs', [['y']]);
    assert.deepEqual(presets.all, [
      { name: 'none', off: [['x'], ['y']] },
      { name: 'docs', off: [['y']] },
    ]);
    await presets.delete('none');
    assert.deepEqual(
      presets.all.map(({ name }) => name),
      ['docs'],
    );
    for (let n = 0; n < maxPresets; n += 1) {
      await presets.save(`preset ${n}`, []);
    }
    assert.equal(presets.all.length, maxPresets);
    assert.ok(!presets.all.some(({ name }) => name === 'docs'));
    await memory.set('mcpHost.toolPresets', [{ name: 1 }, null, { name: 'ok', off: 7 }]);
    assert.deepEqual(presets.all, [{ name: 'ok', off: [] }]);
  });
});
