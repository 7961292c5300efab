import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { splitCommandLine } from '../../../../src/host/import/commandLine.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

describe('splitCommandLine', () => {
  const table: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['', []],
    ['  ', []],
    ['npx -y server', ['npx', '-y', 'server']],
    ['npx  "two words"  x', ['npx', 'two words', 'x']],
    [`node 'it is' "a 'b' c"`, ['node', 'it is', `a 'b' c`]],
    ['node ""', ['node', '']],
    ['C:\\tools\\run.exe --dir C:\\x', ['C:\\tools\\run.exe', '--dir', 'C:\\x']],
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

  it('finds in no time that a quote is not closed', () => {
    for (const piece of [String.raw`\\ `, String.raw`\"`, '\\', ' ', '"a', "'"]) {
      const line = `x "${piece.repeat(30_001)}`;
      const took = cpuMsOf(() => splitCommandLine(line));
      assert.ok(took < 1_000, `${piece}: ${took} ms`);
    }
    assert.equal(splitCommandLine(`x "${String.raw`\\ `.repeat(100)}`), undefined);
  });
});
