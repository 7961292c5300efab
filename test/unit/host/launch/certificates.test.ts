import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { certificatesIn } from '../../../../src/host/launch/certificates.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';

describe('certificatesIn', () => {
  it('reads a file as long as may be in no time, whatever is in it', () => {
    for (const piece of ['-----BEGIN CERTIFICATE-----', '-----BEGIN ', '-', '-----END ']) {
      const pem = piece.repeat(Math.floor(1_000_000 / piece.length));
      const took = cpuMsOf(() => assert.deepEqual(certificatesIn(pem), []));
      assert.ok(took < 1_000, `${piece}: ${took} ms`);
    }
  });

  it('takes each from its beginning to the first end', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
    assert.throws(() => certificatesIn(`${broken}${broken}`));
    assert.deepEqual(certificatesIn('-----END CERTIFICATE-----'), []);
  });
});
