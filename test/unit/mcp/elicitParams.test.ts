import assert from 'node:assert/strict';
import { readElicitRequest, requiredElicitations } from '../../../src/mcp/elicitParams.ts';
import { RpcError, isRpcError, rpcCodes } from '../../../src/mcp/errors.ts';

const requestedSchema = { type: 'object', properties: {} };
const link = { elicitationId: 'e1', url: 'https://example.com/a' };

function refusal(params: Readonly<Record<string, unknown>>, revision = '2025-11-25' as const) {
  try {
    readElicitRequest(params, revision);
  } catch (thrown) {
    assert.ok(isRpcError(thrown));
    return { code: thrown.rpcCode, message: thrown.message };
  }
  return assert.fail('was accepted');
}

describe('readElicitRequest', () => {
  it('ELIC-02, ELI-02: a request without a mode is a form', () => {
    const form = { mode: 'form', message: 'Who?', requestedSchema };
    assert.deepEqual(readElicitRequest({ message: 'Who?', requestedSchema }, '2025-06-18'), form);
    assert.deepEqual(readElicitRequest(form, '2025-11-25'), form);
  });

  it('reads a URL request, and nothing of it but what is known', () => {
    const params = { mode: 'url', message: 'Pay', ...link, task: {}, _meta: {} };
    assert.deepEqual(readElicitRequest(params, '2025-11-25'), {
      mode: 'url',
      message: 'Pay',
      ...link,
    });
  });

  it('ELIC-03: a mode that was not declared, or that the revision has not, gets -32602', () => {
    for (const [mode, revision] of [
      ['url', '2025-06-18'],
      ['voice', '2025-11-25'],
      [null, '2025-11-25'],
    ] as const) {
      assert.throws(
        () => readElicitRequest({ mode, message: 'm', requestedSchema, ...link }, revision),
        (thrown) => isRpcError(thrown) && thrown.rpcCode === rpcCodes.invalidParams,
      );
    }
  });

  it('ERR-01: names the parameter that is wrong', () => {
    assert.match(refusal({ requestedSchema }).message, /"message"/);
    assert.match(refusal({ message: 'm' }).message, /"requestedSchema"/);
    assert.match(refusal({ message: 'm', requestedSchema: [] }).message, /"requestedSchema"/);
    const url = { mode: 'url', message: 'm' };
    assert.match(refusal({ ...url, url: link.url }).message, /"elicitationId"/);
    assert.match(refusal({ ...url, elicitationId: 'e1', url: 'example.com' }).message, /"url"/);
    const endless = `https://example.com/${'a'.repeat(20_000)}`;
    const { message } = refusal({ ...url, elicitationId: 'e1', url: endless });
    assert.match(message, /"url" must have at most 16384 characters/);
    assert.equal(refusal({}).code, -32602);
  });
});

const error = (data: unknown, code: number = rpcCodes.urlElicitationRequired): RpcError =>
  new RpcError(code, 'Visit first', data);

describe('requiredElicitations', () => {
  it('ELIC-29, ERR-02: reads every elicitation of error -32042', () => {
    const data = { elicitations: [{ mode: 'url', message: 'Pay', ...link }, { ...link }] };
    assert.deepEqual(requiredElicitations(error(data), '2025-11-25'), [
      { mode: 'url', message: 'Pay', ...link },
      { mode: 'url', message: '', ...link },
    ]);
  });

  it('leaves every other error alone', () => {
    const data = { elicitations: [{ mode: 'url', message: 'Pay', ...link }] };
    assert.equal(requiredElicitations(error(data), '2025-06-18'), undefined);
    assert.equal(requiredElicitations(error(data, -32603), '2025-11-25'), undefined);
    assert.equal(requiredElicitations(new Error('-32042'), '2025-11-25'), undefined);
    for (const unusable of [
      undefined,
      [],
      { elicitations: [] },
      { elicitations: [null] },
      { elicitations: [{ mode: 'form', message: 'm', requestedSchema }] },
      { elicitations: [{ ...link }, { ...link, url: '//' }] },
    ]) {
      assert.equal(requiredElicitations(error(unusable), '2025-11-25'), undefined);
    }
  });
});
