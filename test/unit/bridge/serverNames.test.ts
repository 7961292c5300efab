import assert from 'node:assert/strict';
import { assert as holds, property, string, uniqueArray } from 'fast-check';
import { serverNames } from '../../../src/bridge/serverNames.ts';

/** The prefix that VS Code makes of a name, as far as it depends on nothing else. */
function prefixOf(name: string): string {
  const word = name.toLowerCase().replaceAll(/[^a-z0-9_.-]+/gu, '_');
  return `mcp_${word.slice(0, 13)}_`;
}

function nameOf(name: string): string | undefined {
  return serverNames([name]).get(name);
}

describe('serverNames', () => {
  it('keeps what reads well', () => {
    assert.equal(nameOf('github'), 'github');
    assert.equal(nameOf('My Files'), 'my_files');
    assert.equal(nameOf('web-search'), 'web-search');
    assert.equal(nameOf('(beta) notes!'), 'beta_notes');
    assert.equal(nameOf('api.v2'), 'api_v2');
  });

  it('cuts long names between words, where enough is left', () => {
    assert.equal(nameOf('github-enterprise'), 'github');
    assert.equal(nameOf('file system of the team'), 'file_system');
    assert.equal(nameOf('knowledgebaseserver'), 'knowledgebase');
    assert.equal(nameOf('a-knowledgebaseserver'), 'a-knowledgeba');
  });

  it('tells names apart that would be cut to the same, and keeps the first as it is', () => {
    const names = serverNames(['database-main', 'database-main-1', 'database-main-2']);
    const [first, second, third] = [...names.values()];
    assert.equal(first, 'database-main');
    assert.match(second ?? '', /^database_[\da-f]{4}$/u);
    assert.match(third ?? '', /^database_[\da-f]{4}$/u);
    assert.notEqual(second, third);
  });

  it('has a name for those of which nothing is left', () => {
    assert.match(nameOf('数据') ?? '', /^server_[\da-f]{4}$/u);
  });

  it('gives VS Code distinct prefixes that it need not number, the same each time', () => {
    holds(
      property(uniqueArray(string({ minLength: 1, maxLength: 40 })), (names) => {
        const given = serverNames(names);
        assert.deepEqual(given, serverNames(names));
        const words = [...given.values()];
        assert.equal(words.length, names.length);
        assert.ok(words.every((word) => /^[a-z0-9_-]{1,13}$/u.test(word)));
        assert.ok(words.every((word) => prefixOf(word) === `mcp_${word}_`));
        assert.equal(new Set(words).size, words.length);
      }),
    );
  });
});
