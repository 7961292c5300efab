import assert from 'node:assert/strict';
import {
  checkSocketPlatform,
  readSocketUrl,
  socketUrlStart,
} from '../../../../src/host/config/socketUrl.ts';

describe('readSocketUrl', () => {
  const forms: readonly (readonly [text: string, socketPath: string, url: string])[] = [
    // VS Code
    ['unix:///run/mcp.sock', '/run/mcp.sock', 'http://localhost/'],
    ['unix:///run/mcp.sock#/mcp', '/run/mcp.sock', 'http://localhost/mcp'],
    [
      'unix:///tmp/server.sock#/mcp/subpath?a=1',
      '/tmp/server.sock',
      'http://localhost/mcp/subpath?a=1',
    ],
    ['pipe:///pipe/named-pipe', '\\\\.\\pipe\\named-pipe', 'http://localhost/'],
    ['pipe:///pipe/named-pipe#/mcp', '\\\\.\\pipe\\named-pipe', 'http://localhost/mcp'],
    // clients of Node
    ['unix:/run/mcp.sock:/mcp', '/run/mcp.sock', 'http://localhost/mcp'],
    ['http://unix:/run/mcp.sock:/mcp', '/run/mcp.sock', 'http://localhost/mcp'],
    ['unix:///run/a:b.sock:/mcp', '/run/a:b.sock', 'http://localhost/mcp'],
    // of Python
    ['http+unix://%2Frun%2Fmcp.sock/mcp', '/run/mcp.sock', 'http://localhost/mcp'],
    ['http+unix://%2Frun%2Fmcp.sock', '/run/mcp.sock', 'http://localhost/'],
    // Docker, and Windows itself
    ['npipe:////./pipe/mcp', '\\\\.\\pipe\\mcp', 'http://localhost/'],
    ['\\\\.\\pipe\\mcp#/mcp', '\\\\.\\pipe\\mcp', 'http://localhost/mcp'],
    ['\\\\?\\pipe\\mcp', '\\\\?\\pipe\\mcp', 'http://localhost/'],
    // what was meant
    ['UNIX:///run/with%20blank.sock', '/run/with blank.sock', 'http://localhost/'],
    ['unix://run/mcp.sock', '/run/mcp.sock', 'http://localhost/'],
    ['unix:///run/mcp.sock#mcp', '/run/mcp.sock', 'http://localhost/mcp'],
    ['unix:///run/mcp.sock#//evil.example/x', '/run/mcp.sock', 'http://localhost/evil.example/x'],
  ];
  for (const [text, socketPath, url] of forms) {
    it(`reads ${text}`, () => {
      const address = readSocketUrl(text);
      assert.deepEqual([address?.socketPath, address?.url.href], [socketPath, url]);
      assert.match(text, socketUrlStart);
    });
  }

  for (const text of ['http://unix/run', 'http://unix:80/', 'https://h/', 'ws://h/', 'unix', '']) {
    it(`leaves "${text}" to others`, () => {
      assert.equal(readSocketUrl(text), undefined);
    });
  }

  it('refuses a path that the system would cut', () => {
    const address = readSocketUrl(`unix:///run/${'x'.repeat(110)}`) ?? assert.fail();
    assert.throws(() => checkSocketPlatform(address, 'posix'), { code: 'invalidConfig' });
  });

  for (const text of ['unix:///', 'unix:///run/', 'pipe:///pipe/', 'unix:///%E0%A4%A']) {
    it(`refuses ${text}`, () => {
      assert.throws(() => readSocketUrl(text), { code: 'invalidConfig' });
    });
  }
});
