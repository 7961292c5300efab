import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  folderPath,
  referencesIn,
  replaceReferences,
  substitute,
  type VariableValues,
} from '../../../../src/host/config/variables.ts';

const values: VariableValues = {
  workspaceFolder: (name) => `/w/${name ?? ''}`,
  userHome: () => '/home/u',
  env: (name) => `env(${name})`,
  input: async (id) => `input(${id})`,
};
const a = { uri: 'file:///w/a', name: 'a', path: '/w/a' };
const b = { uri: 'file:///w/b', name: 'b', path: '/w/b' };

const quoted = (text: string): string => text.replaceAll('$', '');

describe('variables', () => {
  it('finds every variable of a text', () => {
    assert.deepEqual(
      referencesIn('${workspaceFolder}/${workspaceFolder:my app}:${env:A}${env:A}${input:x}${no}'),
      [
        { text: '${workspaceFolder}', kind: 'workspaceFolder' },
        { text: '${workspaceFolder:my app}', kind: 'workspaceFolder', name: 'my app' },
        { text: '${env:A}', kind: 'env', name: 'A' },
        { text: '${env:A}', kind: 'env', name: 'A' },
        { text: '${input:x}', kind: 'input', id: 'x' },
        { text: '${no}', kind: 'unknown', name: 'no' },
      ],
    );
    assert.deepEqual(referencesIn('$HOME $(x) ${open {a} $${'), []);
  });

  it('replaces them', async () => {
    assert.equal(
      await substitute('<${workspaceFolder:a}|${userHome}|${env:X}|${input:y}|$z>', values),
      '</w/a|/home/u|env(X)|input(y)|$z>',
    );
  });

  it('puts values in as they are: nothing in them is expanded, escaped or turned round', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.string(),
        fc.string({ unit: 'binary' }),
        async (x, y, value) => {
          const text = `${quoted(x)}\${env:V}${quoted(y)}`;
          const expected = quoted(x) + value + quoted(y);
          assert.equal(await substitute(text, { ...values, env: () => value }), expected);
          assert.equal(
            replaceReferences(text, () => value),
            expected,
          );
        },
      ),
    );
    for (const value of ['C:\\a\\b', '"q\' `', '${env:OTHER}', '$& $1 $$', 'a\nb', '']) {
      assert.equal(
        await substitute('=${input:v}=', { ...values, input: async () => value }),
        `=${value}=`,
      );
    }
  });

  const unknown: readonly (readonly [string, RegExp])[] = [
    [
      '${workspaceFoldr}',
      /^\$\{workspaceFoldr\} is not a known variable; did you mean \$\{workspaceFolder\}\?$/u,
    ],
    ['${workspacefolder:x}', /did you mean \$\{workspaceFolder:x\}\?$/u],
    ['${HOME}', /did you mean \$\{env:HOME\}\?$/u],
    ['${inputs:key}', /did you mean \$\{input:key\}\?$/u],
    ['${command:pick}', /\$\{command:pick\} is not a known variable; known are .*\$\{env:NAME\}/u],
    ['${}', /^\$\{\} is not a known variable/u],
    ['${env:}', /is not a known variable/u],
  ];
  for (const [text, message] of unknown) {
    it(`names ${text} and what was meant`, async () => {
      await assert.rejects(substitute(`a ${text} b`, values), { code: 'invalidConfig', message });
    });
  }
});

describe('folderPath', () => {
  const user = { kind: 'user' } as const;

  it('is the only folder, or the one that is named', () => {
    assert.equal(folderPath([a], user, undefined), '/w/a');
    assert.equal(folderPath([a, b], user, 'b'), '/w/b');
  });

  it('is the own folder for the settings or a followed file of a folder, whatever its name', () => {
    const own = { kind: 'folder', uri: 'file:///w/b', name: 'other' } as const;
    assert.equal(folderPath([a, b], own, undefined), '/w/b');
    assert.equal(folderPath([{ ...a, name: 'b' }, b], own, undefined), '/w/b');
    const { uri, name } = own;
    const file = { kind: 'followed', program: 'Cursor', path: '/w/b/.cursor/mcp.json' } as const;
    assert.equal(folderPath([a, b], { ...file, folder: { uri, name } }, undefined), '/w/b');
    const gone = { kind: 'folder', uri: 'file:///gone/b', name: 'b' } as const;
    assert.throws(() => folderPath([a, b], gone, undefined), { code: 'invalidConfig' });
  });

  it('says what to write with several folders, and that none is open', () => {
    assert.throws(() => folderPath([a, b], user, undefined), {
      code: 'invalidConfig',
      message:
        '${workspaceFolder} could be any of 2 folders: write ${workspaceFolder:a} to name one',
    });
    assert.throws(() => folderPath([], user, undefined), /no folder is open/u);
    assert.throws(() => folderPath([], user, 'x'), /no folder is open/u);
    assert.throws(() => folderPath([{ ...a, name: 'frontend' }], user, 'frontent'), {
      message:
        '${workspaceFolder:frontent} has no value: open are frontend; did you mean `frontend`?',
    });
    assert.throws(() => folderPath([a, { ...b, name: 'a' }], user, 'a'), /2 folders of this name/u);
  });
});
