// The document in the repository is the one that its page describes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('docs/client-metadata.json', () => {
  it('REG-04 (2026), AUTH-15 (legacy): holds what a metadata document has to, under an https address with a path', () => {
    const file = new URL('../../../../docs/client-metadata.json', import.meta.url);
    const document: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    const id = new URL(String(document['client_id']));
    assert.equal(id.protocol, 'https:');
    assert.notEqual(id.pathname, '/');
    assert.ok(String(document['client_name']).length > 0);
    assert.deepEqual(document['redirect_uris'], ['http://127.0.0.1/oauth/callback']);
    assert.equal(document['token_endpoint_auth_method'], 'none');
    assert.ok(!('client_secret' in document));
  });
});
