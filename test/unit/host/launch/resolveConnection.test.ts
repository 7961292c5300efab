import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type EntryPolicy, parseConfig } from '../../../../src/host/config/parseConfig.ts';
import type { ConnectionSettings } from '../../../../src/mcp/network/connectionSettings.ts';
import { Authority, encrypted } from '../../../servers/authority.ts';
import { problemsOf, resolveEntry } from '../../../support/launches.ts';
import { certificatesIn } from '../../../../src/host/launch/certificates.ts';

// `tls` and `proxy` of an entry: what may be written, what becomes of it, and what is said of what is wrong.

const authority = new Authority();
const { cert, key } = authority.issue('ann');
const old = new Authority('old authority', { isExpired: true });
const files: Readonly<Record<string, string>> = {
  '/w/a/ca.pem': authority.pem,
  '/home/u/ca.pem': authority.pem,
  '/w/a/bundle.pem': `# two\n${old.pem}\n${authority.pem}`,
  '/w/a/old.pem': old.pem,
  '/w/a/many.pem': authority.pem.repeat(Math.floor((300 * 1024) / authority.pem.length)),
  '/w/a/text.txt': 'hello',
  '/w/a/cut.pem': authority.pem.replace(/\n.{20}/u, '\n!'),
  '/w/a/cert.pem': cert,
  '/w/a/old-cert.pem': authority.issue('bob', { isExpired: true }).cert,
  '/w/a/old-chain.pem': authority.issue('bob', { isExpired: true }).cert + authority.pem,
  '/w/a/key.pem': key,
  '/w/a/locked.pem': encrypted(key, 'open sesame'),
};
const inputs = [
  { id: 'pass', type: 'promptString', password: true },
  { id: 'proxy', type: 'promptString' },
  { id: 'word', type: 'promptString' },
];
const answers = {
  word: 'open sesame',
  pass: 'p@ss/w:rd#1',
  proxy: 'http://ann:p%40ss@proxy.example:3128',
};
const machine = { env: { SESAME: 'open sesame', CA: authority.pem, BARE: 'MIIEbare' }, files };

const entryOf = (more: object): object => ({ url: 'https://127.0.0.2:8443/mcp', ...more });

async function resolve(more: object, policy?: EntryPolicy) {
  const options = { inputs, answers, machine, ...(policy && { policy }) };
  const { launch, secrets } = await resolveEntry(entryOf(more), options);
  assert.ok(launch.kind !== 'stdio');
  return { connection: launch.connection, secrets };
}

async function connection(more: object): Promise<ConnectionSettings | undefined> {
  return (await resolve(more)).connection;
}

function refused(more: object, words: RegExp, policy?: EntryPolicy): Promise<void> {
  return assert.rejects(resolve(more, policy), (error: Error) => {
    assert.match(error.message, words);
    assert.match(error.message, /^srv: (?:tls|proxy)/u);
    return true;
  });
}

describe('tls.ca', () => {
  it('is a path, from home, from the folder or from a variable, a text, or several of them', async () => {
    for (const ca of ['ca.pem', './ca.pem', '~/ca.pem', '${workspaceFolder}/ca.pem', '${env:CA}']) {
      assert.deepEqual(await connection({ tls: { ca } }), { tls: { ca: [authority.pem] } });
    }
    const several = await connection({ tls: { ca: ['ca.pem', old.pem + authority.pem] } });
    assert.deepEqual(several, { tls: { ca: [authority.pem, old.pem + authority.pem] } });
    assert.equal(await connection({}), undefined);
  });

  for (const [ca, words] of [
    ['gone.pem', /^srv: tls\.ca: \/w\/a\/gone\.pem cannot be read/u],
    [['ca.pem', 'gone.pem'], /tls\.ca\[1\]: \/w\/a\/gone\.pem/u],
    ['text.txt', /text\.txt has no certificate in PEM/u],
    ['cut.pem', /cut\.pem holds a certificate that cannot be read/u],
    [
      'old.pem',
      /the certificate of CN=old authority in \/w\/a\/old\.pem expired on .*: get the new one/u,
    ],
  ] as const) {
    it(`names the file and what is wrong with ${String(ca)}`, () =>
      refused({ tls: { ca } }, words));
  }

  it('has a bound for all of them together: they are parsed before anybody is asked', async () => {
    const settings = await connection({ tls: { ca: 'many.pem' } });
    assert.deepEqual(settings?.tls?.ca, [files['/w/a/many.pem']]);
    await refused({ tls: { ca: ['many.pem', 'many.pem'] } }, /tls\.ca: holds more than 512 KiB/u);
  });

  it('may be a bundle in which some have expired', async () => {
    const settings = await connection({ tls: { ca: 'bundle.pem' } });
    assert.equal(settings?.tls?.ca?.length, 1);
  });
});

describe('tls.cert and tls.key', () => {
  it('taken for a path are in no cause, where they come from a variable', async () => {
    const tls = { cert: 'cert.pem', key: '${env:BARE}' };
    await assert.rejects(resolve({ tls }), (error: Error) => {
      assert.match(error.message, /^srv: tls\.key: \$\{env:BARE\} cannot be read/u);
      assert.ok(error.cause instanceof Error);
      assert.equal(error.cause.message, 'ENOENT');
      assert.doesNotMatch(inspect(error), /MIIEbare/u);
      return true;
    });
  });

  it('go together, the passphrase as a variable', async () => {
    assert.deepEqual(await connection({ tls: { cert: 'cert.pem', key: 'key.pem' } }), {
      tls: { client: { cert, key } },
    });
    for (const passphrase of ['${env:SESAME}', '${input:word}']) {
      const locked = { cert: 'cert.pem', key: 'locked.pem', passphrase };
      const { connection: own, secrets } = await resolve({ tls: locked });
      assert.equal(own?.tls?.client?.passphrase, 'open sesame');
      assert.ok(secrets.includes('open sesame') && secrets.includes(own.tls.client.key.trim()));
    }
    assert.deepEqual(problemsOf(entryOf({ tls: { key: 'key.pem' } })), [
      'tls.key needs `cert` beside it: a certificate and its private key go together',
    ]);
    const [plain = ''] = problemsOf(entryOf({ tls: { cert: 'c', key: 'k', passphrase: 'x' } }));
    assert.match(plain, /^tls\.passphrase must not hold a secret in plain text/u);
    const [inline = ''] = problemsOf(entryOf({ tls: { cert: 'c', key } }));
    assert.match(inline, /^tls\.key must not hold a secret in plain text/u);
  });

  for (const [tls, words] of [
    [{ cert: 'cert.pem', key: 'text.txt' }, /text\.txt has no private key/u],
    [{ cert: 'cert.pem', key: 'locked.pem' }, /is encrypted: give its passphrase/u],
    [
      { cert: 'cert.pem', key: 'locked.pem', passphrase: '${input:pass}' },
      /^srv: tls\.passphrase: does not open \/w\/a\/locked\.pem/u,
    ],
    [{ cert: 'ca.pem', key: 'key.pem' }, /is not the private key of/u],
    [{ cert: 'old-cert.pem', key: 'key.pem' }, /CN=bob .* expired on/u],
    [{ cert: 'old-chain.pem', key: 'key.pem' }, /CN=bob in \S+old-chain\.pem expired on/u],
    [{ cert: 'text.txt', key: 'key.pem' }, /has no certificate in PEM/u],
  ] as const) {
    it(`before anything is sent: ${words.source}`, () => refused({ tls }, words));
  }
});

describe('tls.insecure', () => {
  const allowed = { allowsInsecureTls: true };
  const insecure = { tls: { insecure: true } };

  it('counts only for a server on this machine, and only where the user lets it', async () => {
    await refused(insecure, /is refused: switch on mcpHost\.security\.allowInsecureLoopbackTls/u);
    for (const host of ['10.0.0.1', '127.0.0.1.evil.example']) {
      const elsewhere = { ...insecure, url: `https://${host}/mcp` };
      await refused(elsewhere, /is refused for [\w.]+: only a server on this machine/u, allowed);
    }
    for (const url of ['https://127.0.0.2/', 'wss://localhost/', 'https://[::1]:1/']) {
      const resolved = await resolve({ ...insecure, url }, allowed);
      assert.deepEqual(resolved.connection, { tls: { isInsecure: true } });
    }
  });

  it('does not go with a proxy, behind which this machine is another one', () => {
    assert.deepEqual(problemsOf(entryOf({ ...insecure, proxy: 'http://p:1' })), [
      'proxy cannot be used with `tls.insecure`, which is only for servers on this machine',
    ]);
  });

  it('is marked in the entries that it is about, and in no others', () => {
    const servers = { a: entryOf(insecure), b: entryOf({}), c: { command: 'x' } };
    const scopes = [{ scope: { kind: 'user' } as const, servers, inputs }];
    const marked = parseConfig(scopes, allowed).servers.map((each) => each.allowsInsecureTls);
    assert.deepEqual(marked, [true, undefined, undefined]);
  });
});

describe('proxy', () => {
  it('is a URL, whose user and password reach it as they are, and no log', async () => {
    assert.deepEqual(await connection({ proxy: 'http://p.example:8080/' }), {
      proxy: { origin: 'http://p.example:8080' },
    });
    assert.deepEqual(await connection({ proxy: 'HTTPS://p.example' }), {
      proxy: { origin: 'https://p.example' },
    });
    assert.deepEqual(await connection({ proxy: false }), { proxy: false });
    const { connection: own, secrets } = await resolve({
      proxy: 'http://a%20b:${input:pass}@p.example:8080',
    });
    const credentials = Buffer.from('a b:p@ss/w:rd#1').toString('base64');
    const proxy = { origin: 'http://p.example:8080', authorization: `Basic ${credentials}` };
    assert.deepEqual(own, { proxy });
    assert.ok(secrets.includes('p@ss/w:rd#1') && secrets.includes(credentials));
  });

  it('takes a user with characters that have a meaning in a URL', async () => {
    for (const [user, expected] of [
      ['CORP\\jane', 'CORP\\jane'],
      ['corp/jane?a#b', 'corp/jane?a#b'],
      ['CORP%5Cjane', 'CORP\\jane'],
      ['100%', '100%'],
    ] as const) {
      assert.deepEqual(await connection({ proxy: `http://${user}:\${input:pass}@p.example` }), {
        proxy: {
          origin: 'http://p.example',
          authorization: `Basic ${Buffer.from(`${expected}:${answers.pass}`).toString('base64')}`,
        },
      });
    }
  });

  it('may be a variable as a whole', async () => {
    const { connection: own, secrets } = await resolve({ proxy: '${input:proxy}' });
    assert.deepEqual(own, {
      proxy: {
        origin: 'http://proxy.example:3128',
        authorization: `Basic ${Buffer.from('ann:p@ss').toString('base64')}`,
      },
    });
    assert.ok(secrets.includes('p@ss'));
    await refused({ proxy: '${input:pass}' }, /^srv: proxy: must be a URL such as http:/u);
    await refused({ proxy: 'http://${input:pass}' }, /^srv: proxy: must be a URL such as http:/u);
  });

  it('says what would be right', () => {
    for (const [proxy, words] of [
      ['socks5://p:1080', /"socks5" proxies are not supported/u],
      ['none', /for no proxy at all write false, without quotes/u],
      ['p:8080', /must be a URL such as/u],
      ['http://p:8080/path', /must be a URL such as/u],
      ['http://ann:hush@p:8080', /must not hold a secret in plain text: write "http:/u],
      [true, /must be a URL, or false to use no proxy/u],
    ] as const) {
      const [problem = '', ...others] = problemsOf(entryOf({ proxy }));
      assert.match(problem, words);
      assert.deepEqual(others, []);
      assert.ok(!problem.includes('hush'));
    }
  });

  it('is read in time that grows with its length alone', () => {
    const many = '${a}'.repeat(5_000);
    for (const proxy of [
      `http://${many} `,
      `http://${many}@${many}@ `,
      `http://${many}:${many}/x`,
    ]) {
      assert.match(problemsOf(entryOf({ proxy }))[0] ?? '', /^proxy must/u);
    }
  });

  it('does not go with a local socket', async () => {
    const url = 'unix:///run/mcp.sock';
    await refused({ url, proxy: 'http://p:1' }, /^srv: proxy: cannot be used with a local socket/u);
    await refused({ url, tls: { ca: 'ca.pem' } }, /^srv: tls: cannot be used with a local socket/u);
  });
});

describe('certificatesIn', () => {
  it('takes each from its beginning to the first end', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
    assert.throws(() => certificatesIn(`${broken}${broken}`));
    assert.deepEqual(certificatesIn('-----END CERTIFICATE-----'), []);
  });
});
