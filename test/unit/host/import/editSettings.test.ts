import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { addToSettings, type CurrentSettings } from '../../../../src/host/import/editSettings.ts';

const text = `{
  // mine
  "editor.tabSize": 3, // as I like it
  "mcpHost.servers": {
    // the first one
    "a": { "command": "x" } /* keep me */
  },
  "mcpHost.inputs": [
    { "id": "one", "type": "promptString" } // asked
  ]
}
`;
const current = {
  servers: { a: { command: 'x' } },
  inputs: [{ type: 'promptString', id: 'one' }],
};
const added = {
  servers: { b: { command: 'y', args: ['1'] } },
  inputs: [{ id: 'two', type: 'promptString' }],
};

describe('Adding to the text of settings', () => {
  it('changes nothing but what it adds, and leaves a comment with its entry', () => {
    assert.equal(
      addToSettings(text, [], current, added),
      text
        .replace(
          '/* keep me */\n',
          `/* keep me */\n    "b": {\n      "command": "y",\n      "args": [\n        "1"\n      ]\n    }\n`,
        )
        .replace('"x" } ', '"x" }, ')
        .replace(
          '// asked\n',
          '// asked\n    {\n      "id": "two",\n      "type": "promptString"\n    }\n',
        )
        .replace('"promptString" } //', '"promptString" }, //'),
    );
  });

  for (const [what, before, after] of [
    [
      'on one line',
      '{"mcpHost.servers": {"a": {"command": "x"} }}',
      '{"mcpHost.servers": {"a": {"command": "x"},\n  "b": {}\n}}',
    ],
    [
      'with a comma at the end',
      '{\n  "mcpHost.servers": {\n    "a": {"command": "x"}, // it\n  },\n}',
      '{\n  "mcpHost.servers": {\n    "a": {"command": "x"}, // it\n    "b": {}\n  },\n}',
    ],
    [
      'with a comma on a line of its own',
      '{\n  "mcpHost.servers": {\n    "a": {"command": "x"}\n    ,\n  }\n}',
      '{\n  "mcpHost.servers": {\n    "a": {"command": "x"}\n    ,\n    "b": {}\n  }\n}',
    ],
    [
      'with a comma in a comment alone',
      '{\n  "mcpHost.servers": {\n    "a": {"command": "x"} // x, y\n  }\n}',
      '{\n  "mcpHost.servers": {\n    "a": {"command": "x"}, // x, y\n    "b": {}\n  }\n}',
    ],
  ] as const) {
    it(`finds the end of servers ${what}`, () => {
      const now = { servers: current.servers, inputs: undefined };
      const result = addToSettings(before, [], now, { servers: { b: {} }, inputs: [] });
      assert.equal(result, after);
    });
  }

  const first = { 'mcpHost.servers': added.servers, 'mcpHost.inputs': added.inputs };
  const both = { ...first, 'mcpHost.servers': { ...current.servers, ...added.servers } };
  for (const [what, before, prefix, now, after] of [
    ['a missing setting', '{ "mcpHost.inputs": [] }', [], { inputs: [] }, first],
    ['an empty setting', '{ "mcpHost.servers": { // none\n } }', [], { servers: {} }, first],
    [
      'the settings of a workspace file',
      '{"folders": [], "settings": {"mcpHost.servers": {"a": {"command": "x"}}}}',
      ['settings'],
      { servers: current.servers },
      { folders: [], settings: both },
    ],
  ] as const) {
    it(`fills ${what}`, () => {
      const settings = { servers: undefined, inputs: undefined, ...now };
      const result = addToSettings(before, prefix, settings, added) ?? '';
      assert.deepEqual(parse(result), after);
      assert.equal(result.includes('// none'), before.includes('// none'));
    });
  }

  it('replaces an entry whose name is used, and leaves the comments around it', () => {
    const updated = addToSettings(text, [], current, {
      servers: { a: { command: 'z' } },
      inputs: [],
    });
    assert.equal(updated, text.replace('{ "command": "x" }', '{\n      "command": "z"\n    }'));
  });

  it('indents as the file does', () => {
    const tabs = '{\r\n\t"mcpHost.servers": {\r\n\t\t"a": { "command": "x" }\r\n\t}\r\n}\r\n';
    const now = { ...current, inputs: undefined };
    const result = addToSettings(tabs, [], now, { ...added, inputs: [] });
    assert.match(result ?? '', /\r\n\t\t"b": \{\r\n\t\t\t"command": "y"/);
    assert.doesNotMatch(result ?? '', /[^\r]\n/);
  });

  const refused: readonly (readonly [string, string, CurrentSettings])[] = [
    ['of another profile', '{"mcpHost.servers": {"z": {"command": "x"}}}', current],
    ['that is broken', text.replace('}\n', ''), current],
    ['that is no object', '[]', current],
    ['without our settings', '{"editor.tabSize": 3}', { servers: undefined, inputs: undefined }],
  ];
  for (const [what, file, now] of refused) {
    it(`leaves a file ${what} to the editor`, () => {
      assert.equal(addToSettings(file, [], now, added), undefined);
    });
  }
});
