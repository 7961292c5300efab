import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parseExtensions } from '../../../../src/host/config/extensionsSetting.ts';
import { extensionIds } from '../../../../src/mcp/extensions.ts';

const tasks = 'io.modelcontextprotocol/tasks';

describe('mcpHost.extensions', () => {
  it('EXT-01: turns on what it names, and nothing by itself', () => {
    assert.deepEqual(parseExtensions(undefined), { extensions: [], problems: [] });
    assert.deepEqual(parseExtensions([]), { extensions: [], problems: [] });
    assert.deepEqual(parseExtensions([tasks, tasks]), { extensions: [tasks], problems: [] });
  });

  it('says what is wrong, and takes the rest', () => {
    const { extensions, problems } = parseExtensions([
      'io.modelcontextprotocol/task',
      true,
      tasks,
      'com.example/other',
    ]);
    assert.deepEqual(extensions, [tasks]);
    assert.deepEqual(
      problems.map(({ setting, message }) => `${setting}: ${message}`),
      [
        `mcpHost.extensions: "io.modelcontextprotocol/task" is not an extension of the protocol that can be used; did you mean "${tasks}"?`,
        'mcpHost.extensions: a boolean is not an extension of the protocol that can be used',
        'mcpHost.extensions: "com.example/other" is not an extension of the protocol that can be used',
      ],
    );
    assert.match(
      parseExtensions(tasks).problems[0]?.message ?? '',
      /^must be a list of extensions of the protocol, not a text$/u,
    );
  });

  it('takes what package.json offers, which turns on nothing', async () => {
    const text = JSON.stringify(JSON.parse(await readFile('package.json', 'utf8')));
    const [, byDefault, words = ''] =
      /"mcpHost\.extensions":.*?"default":(\[.*?\]).*?"enum":(\[.*?\])/u.exec(text) ?? [];
    assert.deepEqual(JSON.parse(words), extensionIds);
    assert.equal(byDefault, '[]');
  });
});
