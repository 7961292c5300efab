import assert from 'node:assert/strict';
import { assert as holds, property, string, uniqueArray } from 'fast-check';
import {
  agreedRevision,
  introduce,
  servedRevisions,
  serverNames,
} from '../../../src/bridge/introduction.ts';

const info = { name: 'behind', version: '1.2.3', title: 'The One Behind' };

describe('introduce', () => {
  it('declares what the server declares and the bridge passes on, and lists that may change', () => {
    const capabilities = {
      tools: {},
      prompts: { listChanged: true },
      resources: { subscribe: true, 'x-more': 1 },
      completions: {},
      tasks: { requests: {} },
      experimental: { own: {} },
      extensions: {},
    };
    assert.deepEqual(introduce('name', { info, capabilities }).capabilities, {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true, 'x-more': 1, listChanged: true },
      completions: {},
    });
  });

  it('goes by its own name, tells the title as a description, and keeps the rest', () => {
    const more = { ...info, websiteUrl: 'https://example.com', icons: [] };
    assert.deepEqual(introduce('name', { info: more, capabilities: {} }).serverInfo, {
      name: 'name',
      version: '1.2.3',
      description: 'The One Behind',
      websiteUrl: 'https://example.com',
      icons: [],
    });
    const described = { ...info, description: 'Its own words' };
    const { serverInfo } = introduce('name', { info: described, capabilities: {} });
    assert.equal(serverInfo.description, 'Its own words');
  });

  it('passes instructions on, and says nothing where there are none', () => {
    const withWords = introduce('n', { info, capabilities: {}, instructions: 'Be kind' });
    assert.equal(withWords.instructions, 'Be kind');
    assert.ok(!('instructions' in introduce('n', { info, capabilities: {} })));
  });

  it('declares everything for a server of which nothing is known', () => {
    const { capabilities, serverInfo } = introduce('name', undefined);
    assert.deepEqual(Object.keys(capabilities), [
      'tools',
      'prompts',
      'resources',
      'completions',
      'logging',
    ]);
    assert.deepEqual(serverInfo, { name: 'name', version: 'unknown' });
  });
});

describe('agreedRevision', () => {
  it('LIFE-03: is what was asked for if it has a handshake and no batches, else the newest of these', () => {
    for (const revision of servedRevisions) {
      assert.equal(agreedRevision(revision), revision);
    }
    for (const asked of ['2025-03-26', '2026-07-28', '2099-01-01', '', undefined, 3, {}]) {
      assert.equal(agreedRevision(asked), '2025-11-25');
    }
  });
});

/** The prefix that VS Code makes of a name, as far as it depends on nothing else. */
function prefixOf(name: string): string {
  const word = name.toLowerCase().replaceAll(/[^a-z0-9_.-]+/gu, '_');
  return `mcp_${word.slice(0, 13)}_`;
}

const withIds = (names: readonly string[]) =>
  names.map((name, index) => ({ id: `${index}/${name}`, name }));

function nameOf(name: string): string | undefined {
  return serverNames([{ id: name, name }]).get(name);
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
    const names = serverNames(
      withIds(['database-main', 'database-main-1', 'database-main-2', 'database-main']),
    );
    const [first, second, third, sameName] = [...names.values()];
    assert.equal(first, 'database-main');
    assert.match(second ?? '', /^database_[\da-f]{4}$/u);
    assert.match(third ?? '', /^database_[\da-f]{4}$/u);
    assert.match(sameName ?? '', /^database_[\da-f]{4}$/u);
    assert.equal(new Set(names.values()).size, 4);
  });

  it('has a name for those of which nothing is left', () => {
    assert.match(nameOf('数据') ?? '', /^server_[\da-f]{4}$/u);
  });

  it('gives VS Code distinct prefixes that it need not number, the same each time', () => {
    holds(
      property(uniqueArray(string({ minLength: 1, maxLength: 40 })), (names) => {
        const servers = withIds(names);
        const given = serverNames(servers);
        assert.deepEqual(given, serverNames(servers));
        const words = [...given.values()];
        assert.equal(words.length, names.length);
        assert.ok(words.every((word) => /^[a-z0-9_-]{1,13}$/u.test(word)));
        assert.ok(words.every((word) => prefixOf(word) === `mcp_${word}_`));
        assert.equal(new Set(words).size, words.length);
      }),
    );
  });
});
