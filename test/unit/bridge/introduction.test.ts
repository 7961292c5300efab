import assert from 'node:assert/strict';
import { agreedRevision, introduce, servedRevisions } from '../../../src/bridge/introduction.ts';

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
  it('LIFE-03: is what was asked for if it has a handshake, else the newest that has', () => {
    for (const revision of servedRevisions) {
      assert.equal(agreedRevision(revision), revision);
    }
    for (const asked of ['2026-07-28', '2099-01-01', '', undefined, 3, {}]) {
      assert.equal(agreedRevision(asked), '2025-11-25');
    }
    assert.ok(servedRevisions.includes('2025-03-26'));
  });
});
