/** Server text is data, wherever it is shown: the functions that every label and message goes through. */
import assert from 'node:assert/strict';
import { errorText } from '../../src/vscode/errorText.ts';
import { manyLines, oneLine, PlainTooltip } from '../../src/vscode/text.ts';
import { McpError } from '../../src/mcp/errors.ts';

describe('server text', () => {
  it('HOST-06: forms no icon and no command link in labels and messages', () => {
    const hostile = '$(trash) [Close](command:workbench.action.closeWindow)';
    const harmless = '$ (trash) [Close] (command:workbench.action.closeWindow)';
    assert.equal(oneLine(hostile), harmless);
    assert.equal(errorText(new McpError('rpc', hostile)), harmless);
  });

  it('forms no link in tooltips, which allow no command either', () => {
    const tooltip = new PlainTooltip().line('Tool', '[x](command:y)').paragraph('<b>[z](http://a)');
    const { value, isTrusted, supportHtml } = tooltip.build();
    assert.doesNotMatch(value, /[^\\]\]\(|<b>/u);
    assert.notEqual(isTrusted, true);
    assert.notEqual(supportHtml, true);
  });

  it('shows what the eye cannot see, and is cut at a length', () => {
    assert.equal(oneLine('a\u{202e}b\u{200b}c\u{7}d\n\te'), 'a\u{fffd}b\u{fffd}c\u{fffd}d e');
    assert.equal(oneLine('x'.repeat(300), 10), `${'x'.repeat(9)}…`);
    assert.equal(manyLines('a\nb\u{202e}', 100), 'a\nb\u{fffd}');
  });
});
