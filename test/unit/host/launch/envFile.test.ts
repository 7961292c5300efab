import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { parseEnvFile } from '../../../../src/host/launch/resolveLaunch.ts';
import { maxEnvFileChars } from '../../../../src/host/launch/launchContext.ts';

/** It takes less than 100 ms; in time that grows with the square of the length it would be a minute. */
const maxMs = 2_000;

describe('parseEnvFile', () => {
  it('takes a moment for the longest file, whatever it repeats', () => {
    const pieces = ['\n', ' \n', ' ', 'a= \n', 'a="\\"\n', 'a=`"\'\n', 'a=#\u2028', "a='\u2028"];
    for (const piece of pieces) {
      for (const first of ['', 'A="']) {
        const text = first + piece.repeat(maxEnvFileChars / piece.length);
        const run = (): void => void parseEnvFile(text);
        assert.doesNotThrow(
          () => runInNewContext('run()', { run }, { timeout: maxMs }),
          JSON.stringify(first + piece),
        );
      }
    }
  });
});
