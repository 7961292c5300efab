import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { followable, parseFollow } from '../../../../src/host/config/followSetting.ts';
import { importLocations } from '../../../../src/host/import/locations.ts';

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
    const machine = { platform: 'linux', home: '/home/ada', env: {}, folders: ['/work'] };
    const programs = new Set(importLocations(machine).map(({ program }) => program));
    assert.deepEqual([...programs].toSorted(), [...followable.values()].toSorted());
  });
});
