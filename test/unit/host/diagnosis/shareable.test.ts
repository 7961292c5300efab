import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shareableProxy, shareableUrl } from '../../../../src/host/diagnosis/shareable.ts';

describe('shareableUrl', () => {
  for (const [url, expected] of [
    ['https://example.com:8443/mcp', 'https://example.com:8443/mcp'],
    ['wss://example.com/team-of-weather-people/v2', 'wss://example.com/team-of-weather-people/v2'],
    ['https://example.com/mcp?key=hidden#hidden', 'https://example.com/mcp'],
    ['https://ann:hidden@example.com/mcp', 'https://example.com/mcp'],
    ['https://example.com/s/NDk3ZDUzMGQtNjYwZi00/mcp', 'https://example.com/s/***/mcp'],
    ['https://example.com/0b6d2f7c-2f0e-4c0a-9d3b-1f6a4b8c9d0e', 'https://example.com/***'],
  ] as const) {
    it(`${url} is shown as ${expected}`, () => assert.equal(shareableUrl(url), expected));
  }
});

describe('shareableProxy', () => {
  for (const [value, expected] of [
    ['http://proxy:3128', 'http://proxy:3128'],
    ['http://ann:hidden@proxy:3128', 'http://proxy:3128'],
    ['ann:hidden@proxy:3128', 'proxy:3128'],
    ['http://ann:hid@den/hidden@proxy:3128', 'http://proxy:3128'],
    ['localhost,.example.com', 'localhost,.example.com'],
  ] as const) {
    it(`${value} is shown as ${expected}`, () => assert.equal(shareableProxy(value), expected));
  }
});
