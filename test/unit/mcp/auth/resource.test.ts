import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  canonicalResource,
  covers,
  isSameIssuer,
  resourceMetadataUrls,
  serverMetadataUrls,
} from '../../../../src/mcp/auth/resource.ts';

describe('the resource of a server', () => {
  it('FLOW-04 (2026), AUTH-22 (legacy): is its URL, without fragment, query, user and needless slash', () => {
    for (const [url, resource] of [
      ['https://MCP.Example.com/Mcp', 'https://mcp.example.com/Mcp'],
      ['https://mcp.example.com/', 'https://mcp.example.com'],
      ['https://mcp.example.com:8443/a/b#c', 'https://mcp.example.com:8443/a/b'],
      ['https://mcp.example.com/mcp?key=secret', 'https://mcp.example.com/mcp'],
      ['https://me:secret@mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ] as const) {
      assert.equal(canonicalResource(new URL(url)), resource);
    }
  });

  it('AUTH-06 (legacy): is covered by metadata of its origin, for its path or one above', () => {
    const server = new URL('https://h/a/bc');
    for (const resource of [
      'https://h/a/bc',
      'https://h/a',
      'https://h/a/',
      'https://h/',
      'https://h',
    ]) {
      assert.equal(covers(resource, server), true, resource);
    }
    for (const resource of [
      'https://h/a/bc/d',
      'https://h/a/b',
      'https://h/a/bcd',
      'https://h/ab',
      'https://other/a/bc',
      'http://h/a/bc',
      'https://h:8443/a/bc',
      'https://h/a/bc#x',
      'no url',
    ]) {
      assert.equal(covers(resource, server), false, resource);
    }
  });

  it('AUTH-05 (legacy): has metadata at its path first, then at the root', () => {
    assert.deepEqual(resourceMetadataUrls(new URL('https://h/public/mcp')), [
      'https://h/.well-known/oauth-protected-resource/public/mcp',
      'https://h/.well-known/oauth-protected-resource',
    ]);
    assert.deepEqual(resourceMetadataUrls(new URL('https://h/')), [
      'https://h/.well-known/oauth-protected-resource',
    ]);
  });

  it('AUTH-09, AUTH-10 (legacy): asks an issuer in the order of the specification', () => {
    assert.deepEqual(serverMetadataUrls(new URL('https://as/tenant1')), [
      'https://as/.well-known/oauth-authorization-server/tenant1',
      'https://as/.well-known/openid-configuration/tenant1',
      'https://as/tenant1/.well-known/openid-configuration',
    ]);
    assert.deepEqual(serverMetadataUrls(new URL('https://as')), [
      'https://as/.well-known/oauth-authorization-server',
      'https://as/.well-known/openid-configuration',
    ]);
  });

  it('tells issuers apart character for character, but for the slash after an origin', () => {
    assert.equal(isSameIssuer('https://as', 'https://as/'), true);
    assert.equal(isSameIssuer('https://as/', 'https://as'), true);
    assert.equal(isSameIssuer('https://as/a', 'https://as/a/'), false);
    assert.equal(isSameIssuer('https://as', 'https://AS'), false);
    assert.equal(isSameIssuer('https://as', undefined), false);
  });
});
