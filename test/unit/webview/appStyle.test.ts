import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { styleVariables } from '../../../src/webview/appStyle.ts';

describe('The style variables of apps', () => {
  it('are all of the specification, and no others', () => {
    assert.deepEqual(Object.keys(styleVariables(() => '')).toSorted(), officialKeys().toSorted());
  });

  it('have a value in a theme without any colour', () => {
    const empty = Object.entries(styleVariables(() => '')).filter(([, value]) => value === '');
    assert.deepEqual(empty, []);
  });

  it('take the first colour of the theme that there is', () => {
    const theme = new Map([
      ['--vscode-editor-background', '#111111'],
      ['--vscode-contrastBorder', '#eeeeee'],
    ]);
    const variables = styleVariables((name) => theme.get(name) ?? '');
    assert.equal(variables['--color-background-secondary'], '#111111');
    assert.equal(variables['--color-border-primary'], '#eeeeee');
    assert.equal(variables['--color-background-ghost'], 'transparent');
    assert.equal(variables['--shadow-md'], '0 2px 8px #eeeeee');
  });
});

function officialKeys(): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  const schema: {
    readonly $defs: {
      readonly McpUiStyleVariableKey: { readonly anyOf: readonly { readonly const: string }[] };
    };
  } = JSON.parse(readFileSync(resolve('@modelcontextprotocol/ext-apps/schema.json'), 'utf8'));
  return schema.$defs.McpUiStyleVariableKey.anyOf.map((key) => key.const);
}
