import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { IconFiles } from '../../../../src/host/icons/iconFiles.ts';
import { type IconParts, Icons, originOf, chooseIcon } from '../../../../src/host/icons/icons.ts';
import { turns, waitUntil } from '../../../support/waitUntil.ts';
import type { Icon } from '../../../../src/mcp/types/content.ts';

const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
const owner = { id: 'user/a', origin: 'https://a.example' };

describe('Icons', () => {
  let folder: string;
  const created: Icons[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mcp-icons-'));
  });

  afterEach(async () => {
    created.splice(0).forEach((icons) => icons.dispose());
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function create(more: Partial<IconParts> = {}): {
    readonly icons: Icons;
    readonly fetched: string[];
    readonly news: string[][];
  } {
    const fetched: string[] = [];
    const icons = new Icons({
      files: new IconFiles(folder),
      fetch: async (src) => {
        fetched.push(src);
        return picture;
      },
      isTrusted: () => true,
      log: { debug: () => undefined },
      ...more,
    });
    created.push(icons);
    const news: string[][] = [];
    icons.onDidCome((ids) => news.push([...ids]));
    return { icons, fetched, news };
  }

  it('fetches an icon once for all that show it, and tells of it', async () => {
    const { icons, fetched, news } = create();
    const icon = { src: 'https://a.example/i.svg' };
    assert.equal(icons.fileOf(icon, owner), undefined);
    assert.equal(icons.fileOf(icon, { ...owner, id: 'user/b' }), undefined);
    await waitUntil('the icon', () => news.length > 0);
    assert.deepEqual(news, [['user/a', 'user/b']]);
    assert.match(icons.fileOf(icon, owner) ?? '', /[0-9a-f]{64}\.svg$/u);
    assert.deepEqual(fetched, [icon.src]);
  });

  it('takes it from its file in the next window, for the same origin only', async () => {
    const icon = { src: 'https://a.example/i.svg' };
    const first = create();
    first.icons.fileOf(icon, owner);
    await waitUntil('the icon', () => first.news.length > 0);
    const second = create();
    second.icons.fileOf(icon, owner);
    await waitUntil('the icon again', () => second.news.length > 0);
    assert.deepEqual(second.fetched, []);
    second.icons.fileOf(icon, { id: 'user/c', origin: 'https://c.example' });
    await waitUntil('the other server', () => second.fetched.length === 1);
  });

  it('does not ask again for what cannot be had, and says so to nobody', async () => {
    let asked = 0;
    const refuse = create({
      fetch: () => {
        asked += 1;
        return Promise.reject(new Error('not allowed'));
      },
    });
    refuse.icons.fileOf({ src: 'https://b.example/i.png' }, owner);
    await waitUntil('the attempt', () => asked === 1);
    await turns();
    assert.equal(refuse.icons.fileOf({ src: 'https://b.example/i.png' }, owner), undefined);
    assert.equal(asked, 1);
    assert.deepEqual(refuse.news, []);
  });

  it('asks again, once, over connection settings over which it has not been asked for', async () => {
    const asked: unknown[] = [];
    const refuse = create({
      fetch: async (_src, { connection }) => {
        asked.push(connection);
        throw new Error('unknown authority');
      },
    });
    const [one, two] = [{ proxy: false }, { proxy: false }] as const;
    for (const [connection, attempts] of [
      [undefined, 1],
      [one, 2],
      [one, 2],
      [two, 3],
      [one, 3],
      [undefined, 3],
    ] as const) {
      refuse.icons.fileOf({ src: 'https://a.example/i.png' }, { ...owner, connection });
      await waitUntil('the attempt', () => asked.length >= attempts);
      await turns();
    }
    assert.deepEqual(asked, [undefined, one, two]);
    assert.ok(asked[1] === one && asked[2] === two);
  });

  it('remembers no more addresses than it may', async () => {
    const { icons, fetched } = create();
    const ask = (n: number): unknown =>
      icons.fileOf({ src: `data:image/png;base64,${'A'.repeat(250_000)}${n}` }, owner);
    for (let n = 0; n < 300; n += 1) {
      ask(n);
    }
    await waitUntil('what may be asked for', () => fetched.length >= 256);
    await turns();
    assert.ok(fetched.length < 300, `${fetched.length}`);
  });

  it('draws nothing that is no image', async () => {
    const page = create({ fetch: async () => Buffer.from('<html></html>') });
    page.icons.fileOf({ src: 'https://a.example/i.png' }, owner);
    page.icons.dispose();
    await turns();
    assert.deepEqual(await readdir(folder), []);
  });

  it('fetches nothing for a folder that is not trusted', async () => {
    const { icons, fetched } = create({ isTrusted: () => false });
    assert.equal(icons.fileOf({ src: 'https://a.example/i.svg' }, owner), undefined);
    await turns();
    assert.deepEqual(fetched, []);
  });

  it('fetches four at a time', async () => {
    let running = 0;
    let most = 0;
    const { icons, news } = create({
      fetch: async () => {
        running += 1;
        most = Math.max(most, running);
        await turns();
        running -= 1;
        return picture;
      },
    });
    for (let n = 0; n < 20; n += 1) {
      icons.fileOf({ src: `https://a.example/${n}.svg` }, { ...owner, id: `user/${n}` });
    }
    await waitUntil('all icons', () => news.flat().length === 20);
    assert.equal(most, 4);
  });
});

describe('IconFiles', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mcp-icons-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const limits = { files: 4, bytes: 100, ageMs: 60_000 };

  it('keeps no more than it may, in number and in size', async () => {
    const many = new IconFiles(folder, limits);
    for (let n = 0; n < 4; n += 1) {
      assert.notEqual(await many.keep(`s${n}`, Buffer.alloc(1), 'png'), undefined);
    }
    assert.equal(await many.keep('s4', Buffer.alloc(1), 'png'), undefined);
    assert.equal((await readdir(folder)).length, 4);
    const large = new IconFiles(path.join(folder, 'other'), limits);
    assert.equal(await large.keep('s', Buffer.alloc(101), 'png'), undefined);
  });

  it('makes room when it begins: the oldest go, and what is too old or was never finished', async () => {
    const before = new IconFiles(folder, limits);
    const files = [];
    for (const src of ['old', 'older', 'new', 'newer']) {
      files.push(await before.keep(src, Buffer.alloc(1), 'png'));
    }
    const now = Date.now() / 1_000;
    for (const [index, age] of [100, 200, 20, 10].entries()) {
      await utimes(files[index] ?? '', now - age, now - age);
    }
    await writeFile(path.join(folder, 'x.png.1.part'), '');
    const after = new IconFiles(folder, limits);
    assert.equal(await after.find('old'), undefined);
    assert.equal(await after.find('new'), files[2]);
    assert.equal(await after.find('newer'), files[3]);
    assert.equal((await readdir(folder)).length, 2);
  });
});

function http(url: string): string | undefined {
  return originOf({ kind: 'http', url, headers: {} });
}

describe('originOf', () => {
  it('ICON-03: is the origin of a remote server, and nothing for any other', () => {
    assert.equal(http('https://a.example/mcp?x=1'), 'https://a.example');
    assert.equal(http('wss://a.example:8443/mcp'), 'https://a.example:8443');
    assert.equal(http('https://${input:host}/mcp'), undefined);
    assert.equal(http('https://a.example/${input:tenant}'), 'https://a.example');
    assert.equal(http('unix:///run/x.sock#/mcp'), undefined);
    assert.equal(originOf({ kind: 'stdio', command: 'node', args: [], env: {} }), undefined);
  });
});

const chosen = (theme: 'light' | 'dark', ...icons: readonly Icon[]): string | undefined =>
  chooseIcon(icons, theme)?.src;

describe('chooseIcon', () => {
  it('ICON-04: takes the one for the theme, then one for any, then the other', () => {
    const light: Icon = { src: 'light', theme: 'light' };
    const dark: Icon = { src: 'dark', theme: 'dark' };
    const any: Icon = { src: 'any' };
    assert.equal(chosen('dark', light, any, dark), 'dark');
    assert.equal(chosen('light', dark, any), 'any');
    assert.equal(chosen('light', dark), 'dark');
  });

  it('ICON-04: takes the size that comes closest, rather too large than too small', () => {
    const small: Icon = { src: 'small', sizes: ['16x16'] };
    const fitting: Icon = { src: 'fitting', sizes: ['8x8', '48x48'] };
    const large: Icon = { src: 'large', sizes: ['512x512'] };
    const vector: Icon = { src: 'vector', sizes: ['any'] };
    assert.equal(chosen('dark', small, large), 'large');
    assert.equal(chosen('dark', large, fitting, small), 'fitting');
    assert.equal(chosen('dark', fitting, vector), 'vector');
  });

  it('takes none of a type that is not drawn, and the first of equals', () => {
    assert.equal(chosen('dark', { src: 'a', mimeType: 'image/gif' }), undefined);
    assert.equal(
      chosen(
        'dark',
        { src: 'a', mimeType: 'image/avif' },
        { src: 'b', mimeType: 'IMAGE/PNG; x=1' },
      ),
      'b',
    );
    assert.equal(chosen('dark', { src: 'a' }, { src: 'b' }), 'a');
    assert.equal(chooseIcon(undefined, 'dark'), undefined);
  });
});
