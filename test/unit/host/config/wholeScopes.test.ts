// Settings whose file is half written: the editor reads what it can of it, an entry that ends before its sandbox too.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { isObject } from '../../../../src/base/json.ts';
import { WholeScopes } from '../../../../src/host/config/wholeScopes.ts';

const scope = { kind: 'user' } as const;
const whole = JSON.stringify({ 'mcpHost.servers': { mine: { command: 'x', sandbox: true } } });
const half = whole.slice(0, whole.indexOf(',"sandbox"'));

describe('WholeScopes', () => {
  let folder: string;
  let file: string;
  let text: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'whole-scopes-'));
    file = join(folder, 'settings.json');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(content: string): void {
    text = content;
    writeFileSync(file, content);
  }

  function opened(): WholeScopes {
    return new WholeScopes({
      // As the editor does.
      readScopes: () => {
        const settings: unknown = parse(text);
        assert.ok(isObject(settings));
        return [{ scope, servers: settings['mcpHost.servers'], inputs: undefined }];
      },
      fileOf: () => file,
    });
  }

  it('a file that is broken later leaves its servers as they were', async () => {
    write(whole);
    const scopes = opened();
    const before = await scopes.read();
    assert.deepEqual(before.broken, []);
    write(half);
    const { scopes: now, broken } = await scopes.read();
    assert.deepEqual(now, before.scopes);
    assert.deepEqual(
      broken.map(({ wasWhole }) => wasWhole),
      [true],
    );
  });

  it('SEC-01: a file that was broken before the window opened has no servers until it is mended', async () => {
    write(half);
    const scopes = opened();
    assert.deepEqual(await scopes.read(), {
      scopes: [{ scope, servers: undefined, inputs: undefined }],
      broken: [
        { scope, file, problem: 'is not JSON: line 1: close brace expected', wasWhole: false },
      ],
    });
    write(whole);
    const { scopes: now, broken } = await scopes.read();
    assert.deepEqual(now[0]?.servers, { mine: { command: 'x', sandbox: true } });
    assert.deepEqual(broken, []);
  });

  it('SEC-01: also with the settings in one object', async () => {
    write('{ "mcpHost": { "servers": { "mine": { "command": "x"');
    const scopes = new WholeScopes({
      readScopes: () => [{ scope, servers: { mine: { command: 'x' } }, inputs: undefined }],
      fileOf: () => file,
    });
    assert.equal((await scopes.read()).broken.length, 1);
  });

  it('takes the word of the editor where the file is that of another profile, and waits for it once', async () => {
    let servers = {};
    let looks = 0;
    const scopes = new WholeScopes({
      readScopes: () => {
        looks += 1;
        return [{ scope, servers, inputs: undefined }];
      },
      fileOf: () => file,
    });
    for (const [content, expected] of [
      [whole, 6],
      [half, 1],
      ['{ "editor.fontSize": 12,, ', 1],
    ] as const) {
      write(content);
      looks = 0;
      servers = { [`mine${content.length}`]: { command: 'x' } };
      const { scopes: now, broken } = await scopes.read();
      assert.deepEqual([now[0]?.servers, broken, looks], [servers, [], expected]);
    }
  });

  it('takes the word of the editor for a file that is not there', async () => {
    write(whole);
    const scopes = opened();
    rmSync(file);
    const { scopes: now, broken } = await scopes.read();
    assert.deepEqual(now[0]?.servers, { mine: { command: 'x', sandbox: true } });
    assert.deepEqual(broken, []);
  });
});
