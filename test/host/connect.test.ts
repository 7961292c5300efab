/** A real server from npm, connected by nothing but an entry in the settings. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { clear, configure, everything, server, until, untilState } from './support/host.ts';

/** What the server that package-lock.json names lists, once it knows what the client can do. */
const listed = { tools: 19, prompts: 4, resources: 7, resourceTemplates: 2 };

describe('connecting', () => {
  afterEach(clear);

  it('LIFE-02, VSC-01, STDIO-01: connects to server-everything on stdio and has what it lists (@smoke)', async () => {
    await configure({ everything: everything('stdio') });
    const summary = await untilState('everything', 'ready');
    assert.equal(summary.revision, '2025-11-25');
    assert.equal(summary.transport, 'stdio');
    assert.equal(summary.scope, 'user');
    await until(`all of ${JSON.stringify(listed)}`, () => {
      const { tools, prompts, resources, resourceTemplates } = server('everything') ?? {};
      return isDeepStrictEqual({ tools, prompts, resources, resourceTemplates }, listed);
    });
  });
});
