import assert from 'node:assert/strict';
import {
  followable,
  parseBridgeSettings,
  parseExtensions,
  parseFollow,
} from '../../../../src/host/config/userSettings.ts';
import { readFile } from 'node:fs/promises';
import { extensionIds } from '../../../../src/mcp/extensions.ts';
import { importLocations } from '../../../../src/host/import/locations.ts';

const nothing = { enabled: undefined, confirmation: undefined };

describe('bridge settings', () => {
  it('are on and ask, unless said otherwise', () => {
    assert.deepEqual(parseBridgeSettings(nothing), {
      settings: { isEnabled: true, confirmation: 'mcpHost' },
      problems: [],
    });
    assert.deepEqual(parseBridgeSettings({ enabled: null, confirmation: null }).problems, []);
    assert.deepEqual(parseBridgeSettings({ enabled: false, confirmation: 'vscode' }), {
      settings: { isEnabled: false, confirmation: 'vscode' },
      problems: [],
    });
  });

  it('say what is wrong, and ask all the same', () => {
    const { settings, problems } = parseBridgeSettings({ enabled: 'no', confirmation: 'VSCode' });
    assert.deepEqual(settings, { isEnabled: true, confirmation: 'mcpHost' });
    assert.deepEqual(
      problems.map(({ setting, message }) => `${setting} ${message}`),
      [
        'mcpHost.bridge.enabled must be true or false, not a text',
        'mcpHost.bridge.confirmation must be "mcpHost" or "vscode"; did you mean "vscode"?',
      ],
    );
  });
});

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

describe('mcpHost.follow', () => {
  it('names programs', () => {
    assert.deepEqual(parseFollow(['cursor', 'claude-code', 'cursor']), {
      programs: ['Cursor', 'Claude Code'],
      problems: [],
    });
    assert.deepEqual(parseFollow(undefined), { programs: [], problems: [] });
  });

  it('says what is wrong, and takes the rest', () => {
    const { programs, problems } = parseFollow(['curser', 3, 'codex']);
    assert.deepEqual(programs, ['Codex']);
    const [unknown, noText] = problems.map(({ message }) => message);
    assert.match(unknown ?? '', /"curser" is not a program that can be followed.*"cursor"/);
    assert.match(noText ?? '', /number/);
    assert.match(parseFollow('cursor').problems[0]?.message ?? '', /must be a list of programs/);
  });

  it('takes the words that package.json offers, for each program that has files', async () => {
    const manifest: unknown = JSON.parse(await readFile('package.json', 'utf8'));
    const text = JSON.stringify(manifest);
    const [, words = ''] = /"mcpHost\.follow":.*?"enum":(\[.*?\])/u.exec(text) ?? [];
    assert.deepEqual(JSON.parse(words), [...followable.keys()]);
    const machine = {
      platform: 'linux',
      home: '/home/ada',
      env: {},
      userData: '/u',
      folders: ['/work'],
    };
    const programs = new Set(importLocations(machine).map(({ program }) => program));
    assert.deepEqual([...programs].toSorted(), [...followable.values()].toSorted());
  });
});
