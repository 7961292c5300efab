/** The page of a tool's result: whatever the server sends is text in it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CallToolResult } from '../../src/mcp/types/methods.ts';
import { toFiles } from '../../src/vscode/tools/resultDocument.ts';
import { contentPage } from '../../src/vscode/text/contentPage.ts';
import { resultHtml } from '../../src/vscode/tools/resultPage.ts';

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=https://a.example/p.png onerror=alert(1)>',
  "'><a href='command:workbench.action.quit'>x</a>",
  '</style><iframe src=https://a.example></iframe>',
  '[x](command:workbench.action.quit) ![p](https://a.example/p.png)',
];

function pageOf(result: CallToolResult, name = 'tool'): string {
  const body = resultHtml({
    run: {
      server: name,
      serverId: 'user/probe',
      tool: name,
      input: { value: name },
      result,
      outputProblems: [name],
      unchecked: [name],
      durationMs: 5,
    },
    document: vscode.Uri.parse('mcphost://result/1/tool.md'),
    files: new Map([[2, vscode.Uri.parse('mcphost://result/1/1.png')]]),
    serverId: 'user/probe',
  });
  return contentPage(body);
}

/** The tags of a page that are not the page's own. */
function strangeTags(page: string): readonly string[] {
  const own =
    /^(?:!DOCTYPE|\/?(?:html|head|body|main|meta|style|h1|h2|p|strong|section|ul|li|pre|details|summary|a|span|img|audio|div|table|caption|thead|tbody|tr|th|td))$/u;
  return [...page.matchAll(/<([^\s>]+)/gu)]
    .map(([, tag = '']) => tag)
    .filter((tag) => !own.test(tag));
}

describe('the page of a result', () => {
  for (const text of hostile) {
    it(`HOST-06, TOOL-08: stays text: ${text}`, () => {
      const page = pageOf(
        {
          content: [
            { type: 'text', text },
            { type: 'image', data: text, mimeType: `image/png${text}` },
            { type: 'image', data: text, mimeType: 'image/png' },
            { type: 'audio', data: text, mimeType: text },
            { type: 'resource_link', uri: text, name: text, title: text, description: text },
            { type: 'resource', resource: { uri: text, text, mimeType: text } },
            { type: 'resource', resource: { uri: text, blob: text, mimeType: text } },
          ],
          structuredContent: { [text]: [{ [text]: text }] },
        },
        text,
      );
      assert.deepEqual(strangeTags(page), []);
      const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/gu)].map(
        ([, address]) => address,
      );
      assert.ok(addresses.length > 5);
      assert.deepEqual(
        addresses.filter(
          (address) =>
            !/^(?:data:image\/png;base64,[\w+/=]*|command:mcpHost\.(?:open|save)ResultPart\?[\w%.!~*()-]+)$/u.test(
              address ?? '',
            ),
        ),
        [],
      );
      assert.doesNotMatch(page, /<[^>]* on\w+=/u);
    });
  }

  it('HOST-06: is a table in the document, too, in which every cell is words', () => {
    const [document] = toFiles({
      server: 's',
      serverId: 'user/probe',
      tool: 't',
      input: {},
      result: {
        content: [],
        structuredContent: { rows: [{ 'a|b': '[x](command:y) | <b>', n: 1 }, { n: null }] },
      },
      outputProblems: [],
      unchecked: [],
      durationMs: 1,
    });
    const text = Buffer.from(document?.bytes ?? []).toString();
    assert.ok(
      text.includes(
        [
          '| a\\|b | n |',
          '| --- | --- |',
          '| \\[x\\] \\(command\\:y\\) \\| \\<b\\> | 1 |',
          '|  | null |',
        ].join('\n'),
      ),
      text,
    );
  });

  it('lets nothing run or be fetched', () => {
    const [, policy] =
      /Content-Security-Policy" content="([^"]*)"/u.exec(pageOf({ content: [] })) ?? [];
    assert.match(
      policy?.replaceAll('&#39;', "'") ?? '',
      /^default-src 'none'; img-src data:; media-src data:; style-src 'nonce-[\da-f]{32}'$/u,
    );
  });
});
