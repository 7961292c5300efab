import assert from 'node:assert/strict';
import { joinCommandLine, splitCommandLine } from '../../../../src/host/import/commandLine.ts';

describe('splitCommandLine', () => {
  const table: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['', []],
    ['  ', []],
    ['npx -y server', ['npx', '-y', 'server']],
    ['npx  "two words"  x', ['npx', 'two words', 'x']],
    [`node 'it is' "a 'b' c"`, ['node', 'it is', `a 'b' c`]],
    ['node ""', ['node', '']],
    ['C:\\tools\\run.exe --dir C:\\x', ['C:\\tools\\run.exe', '--dir', 'C:\\x']],
    ['\\\\nas\\run.exe \\\\nas\\x', ['\\\\nas\\run.exe', '\\\\nas\\x']],
    ['a\\ b c', ['a b', 'c']],
    ['say \\"hi\\"', ['say', '"hi"']],
    [`'a\\'`, ['a\\']],
    ['"C:\\dir\\" x', ['C:\\dir\\', 'x']],
    ['"a\\\\" b', ['a\\', 'b']],
    ['"open', undefined],
    [`it's`, undefined],
    ['--flag="x y"', ['--flag=x y']],
  ];
  for (const [line, words] of table) {
    it(`reads ${JSON.stringify(line)}`, () => {
      assert.deepEqual(splitCommandLine(line), words);
    });
  }
});

describe('joinCommandLine', () => {
  for (const words of [
    ['/data', '/my notes', "it's"],
    ['C:\\My Files\\', 'C:\\a', '"', '\\', ''],
    [],
  ]) {
    it(`gives a line with the words ${JSON.stringify(words)}`, () => {
      assert.deepEqual(splitCommandLine(joinCommandLine(words)), words);
    });
  }
});
