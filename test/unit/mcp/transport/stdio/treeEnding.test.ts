import assert from 'node:assert/strict';
import { WatchedTrees } from '../../../../../src/mcp/transport/stdio/treeEnding.ts';

function after(...pieces: readonly string[]): readonly number[] {
  const trees = new WatchedTrees();
  pieces.forEach((piece) => trees.take(piece));
  return trees.pids;
}

describe('what the reaper is told', () => {
  it('counts what came and did not go, in whatever pieces', () => {
    assert.deepEqual(after('+12\n+13\n', '+1', '4\n-1', '3\n'), [12, 14]);
  });

  it('leaves out a line that was never finished', () => {
    assert.deepEqual(after('+12\n+13'), [12]);
  });

  it('never means everybody, its own group, or what is no number', () => {
    assert.deepEqual(after('+0\n+1\n+-1\n+12x\n+\n\n+Infinity\n12\n'), []);
  });
});
