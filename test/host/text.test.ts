/** Server text is data, wherever it is shown: what it becomes as Markdown, and in messages of errors. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fenced, inline, plain } from '../../src/vscode/text/contentMarkdown.ts';
import { neverAborted } from '../../src/vscode/text/cancellation.ts';
import { errorText } from '../../src/vscode/text/errorText.ts';
import { PlainTooltip } from '../../src/vscode/text/plainTooltip.ts';
import { TextEditing } from '../../src/vscode/text/textEditing.ts';
import { McpError } from '../../src/mcp/errors.ts';
import { until } from './support/host.ts';

const hostile: readonly string[] = [
  '$(trash) [Close](command:workbench.action.closeWindow)',
  '[x](command:y "t")',
  '![p](https://a.example/p.png)',
  '<https://a.example> <b>bold</b> <img src=x>',
  '**loud** __loud__ `code` ``more``',
  '[x][y]\n\n[y]: command:z',
  '# heading\n- item\n> quote\n| a | b |',
  '\\[x\\](command:y)',
  'end ```\n[x](command:y)\n```',
  'a\u{202e}b\u{200b}c',
];

/** Markdown that could do something: unescaped brackets, tags, emphasis, code, icons. */
const active = /(?:^|[^\\])(?:\\\\)*(?:\]\(|\]\[|<[a-z]|!\[|\$\((?=[\w~-]+\)))/iu;

describe('server text', () => {
  it('HOST-06: forms no icon and no command link in messages of errors', () => {
    const text = '$(trash) [Close](command:workbench.action.closeWindow)';
    assert.equal(
      errorText(new McpError('rpc', text)),
      '$ (trash) [Close] (command:workbench.action.closeWindow)',
    );
  });

  for (const text of hostile) {
    it(`HOST-06: stays data in Markdown: ${JSON.stringify(text)}`, () => {
      const tooltip = new PlainTooltip().line('Tool', text).paragraph(text).build('rest');
      assert.doesNotMatch(tooltip.value, active);
      assert.notEqual(tooltip.isTrusted, true);
      assert.notEqual(tooltip.supportHtml, true);
      assert.notEqual(tooltip.supportThemeIcons, true);
      assert.doesNotMatch(plain(text), active);
      assert.doesNotMatch(plain(text), /\n|[\u{202e}\u{200b}]/u);
      const code = inline(text);
      const ticks = /^`+/u.exec(code)?.[0] ?? '';
      assert.ok(ticks !== '' && code.endsWith(ticks));
      assert.equal(code.slice(ticks.length, -ticks.length).includes(ticks), false);
      const [fence = '', ...lines] = fenced(text).split('\n');
      assert.equal(lines.at(-1), fence);
      assert.equal(
        lines.slice(0, -1).some((line) => line.includes(fence)),
        false,
      );
    });
  }

  it('is cut in tooltips, which say then where the rest is', () => {
    const long = new PlainTooltip().paragraph('word '.repeat(10_000)).build('Show Details has all');
    assert.ok(long.value.length < 5_000);
    assert.match(long.value, /Details/u);
    const high = new PlainTooltip().paragraph('line\n'.repeat(500)).build('Show Details has all');
    assert.match(high.value, /Details/u);
    const short = new PlainTooltip().line('Tool', 'add').paragraph('Adds.').build('Show Details');
    assert.doesNotMatch(short.value, /Details/u);
  });
});

describe('a text in an editor', () => {
  it('stays there when its language changes, and is used as it was edited', async () => {
    const editing = new TextEditing();
    const edit = {
      name: 'script',
      language: 'plaintext',
      text: 'a: 1',
      hint: String,
      read: String,
    };
    const result = editing.run(edit, neverAborted);
    const editor = await until('the editor', () => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document.getText() === 'a: 1' && activeTextEditor;
    });
    await vscode.languages.setTextDocumentLanguage(editor.document, 'yaml');
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 4), '0'));
    editing.finish(true);
    assert.equal(await result, 'a: 10');
  });
});
