/** What the documents say of files, constants, settings, commands, bundles and packages is there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memoryBudgets } from '../../src/host/servers/serverMemory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const filesBelow = (folder: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'));

const documents = [
  ...fs.readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesBelow('docs').filter((name) => name.endsWith('.md')),
];
const ownFiles = [
  ...fs.readdirSync(root),
  ...['api', 'bench', 'docs', 'scripts', 'src', 'test'].flatMap(filesBelow),
];

/** Scripts have no types. */
const { references }: { readonly references: () => Readonly<Record<string, string>> } =
  await import(new URL('scripts/docs/references.mjs', pathToFileURL(root)).href);

/** The rows of the table whose first header is this one, as cells; without header. */
function table(document: string, firstHeader: string): readonly (readonly string[])[] {
  const lines = read(document).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeader} `));
  assert.notEqual(start, -1, `${document} has no table of "${firstHeader}"`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** What stands in backticks. */
const codeOf = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`/gu)].map(([, code = '']) => code);

/** Documents name files by the end of their path. */
const isThere = (name: string): boolean =>
  ownFiles.some((file) => file === name || file.endsWith(`/${name}`));

/** As GitHub and VS Code make them of headings. */
function anchors(document: string): readonly string[] {
  const headings = [...read(document).matchAll(/^#+ (.+)$/gmu)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('The documents', () => {
  for (const document of documents) {
    it(`${document} links to what is there`, () => {
      const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/gu)].map(([, to = '']) => to);
      const broken = links.filter((link) => {
        if (link.startsWith('https:')) return false;
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
        if (!fs.existsSync(path.join(root, target))) return true;
        return anchor !== undefined && !anchors(target).includes(anchor);
      });
      assert.deepEqual(broken, []);
    });
  }

  const withFiles = ['ARCHITECTURE.md', 'SECURITY.md', 'CONTRIBUTING.md', 'docs/api.md'];
  for (const document of [...withFiles, 'docs/limits.md', 'docs/security.md']) {
    it(`${document} names files that are there`, () => {
      const named = codeOf(read(document)).filter((code) => /^[\w./-]+\.(?:ts|mjs)$/u.test(code));
      assert.deepEqual(
        named.filter((name) => !isThere(name)),
        [],
      );
    });
  }
});

describe('docs/limits.md', () => {
  for (const row of table('docs/limits.md', 'what  ')) {
    const [what = '', , constants = '', , tests = ''] = row;
    it(`has the constants and the tests of: ${what}`, () => {
      assert.equal(row.length, 5);
      let folder = '';
      const sources = codeOf(constants)
        .filter((code) => code.endsWith('.ts'))
        .map((name) => {
          if (name.includes('/')) folder = path.posix.dirname(name);
          return read(path.posix.join('src', folder, path.posix.basename(name)));
        });
      const names = codeOf(constants).filter((code) => !code.endsWith('.ts'));
      assert.deepEqual(
        names.filter((name) => {
          const declaration = new RegExp(String.raw`\bconst ${name}\b`, 'u');
          return !sources.some((text) => declaration.test(text));
        }),
        [],
      );
      for (const name of codeOf(tests)) {
        if (name.includes('/')) folder = path.posix.dirname(name);
        const file = path.posix.join('test', folder, path.posix.basename(name));
        const endings = ['', '.test.ts', '.e2e.ts'].map((end) => path.join(root, `${file}${end}`));
        assert.ok(endings.some(fs.existsSync), `${file} is not there`);
      }
    });
  }
});

describe('SECURITY.md', () => {
  it('has 10,000 bytes at most: what more there is to say stands in docs', () => {
    assert.equal(Math.max(Buffer.byteLength(read('SECURITY.md')), 10_000), 10_000);
  });

  it('has the budgets of memory of the code', () => {
    const mebi = 2 ** 20;
    const said = table('SECURITY.md', 'memory of').map(([, bytes = '', constant = '']) => [
      codeOf(constant)[0],
      Number(/^(\d+) MiB/u.exec(bytes)?.[1]) * mebi,
    ]);
    const { refusals, refusalsMs, ...budgets } = memoryBudgets;
    assert.deepEqual(Object.fromEntries(said), budgets);
    const [, times, seconds] =
      /refused (\d+) times within (\d+) s/u.exec(read('SECURITY.md')) ?? [];
    assert.deepEqual([Number(times), Number(seconds)], [refusals, refusalsMs / 1_000]);
  });
});

describe('README.md', () => {
  it('has 12,000 bytes at most: what more there is to say stands in docs', () => {
    assert.equal(Math.max(Buffer.byteLength(read('README.md')), 12_000), 12_000);
  });

  it('leads to every page of docs, as CONTRIBUTING.md does for those of contributors', () => {
    const pages = documents.filter((document) => document.startsWith('docs/'));
    const entrances = read('README.md') + read('CONTRIBUTING.md');
    assert.deepEqual(
      pages.filter((page) => !entrances.includes(`](${page}`)),
      [],
    );
  });
});

describe('The references', () => {
  for (const [file, text] of Object.entries(references())) {
    it(`${file} is what "npm run docs" writes`, () => {
      assert.equal(read(file), text, `${file} is stale: run "npm run docs"`);
    });
  }
});

describe('ARCHITECTURE.md', () => {
  it('has 15,000 bytes at most: what more there is to say stands in the head comment of the file that owns it', () => {
    assert.equal(Math.max(Buffer.byteLength(read('ARCHITECTURE.md')), 15_000), 15_000);
  });

  it('says of each change where its files are: a name without folder is in the folder before it', () => {
    const missing = table('ARCHITECTURE.md', 'what').flatMap(([what = '', where = '']) => {
      let folder = '';
      return codeOf(where)
        .filter((code) => /^[\w./-]+\.(?:d\.ts|ts|mjs|json)$/u.test(code))
        .map((name) => {
          if (name.includes('/')) folder = path.posix.dirname(name);
          return path.posix.join(folder, path.posix.basename(name));
        })
        .filter((file) => !ownFiles.includes(file) && !ownFiles.includes(`src/${file}`))
        .map((file) => `${what}: ${file}`);
    });
    assert.deepEqual(missing, []);
  });

  it('has every bundle that is packed', () => {
    const bundles: unknown = JSON.parse(read('scripts/support/bundles.json'));
    const built = Object.keys(Object(bundles)).map((name) => `dist/${name}.cjs`);
    const listed = table('ARCHITECTURE.md', 'bundle').flatMap(([cell = '']) => codeOf(cell));
    assert.deepEqual(listed.toSorted(), built.toSorted());
  });

  it('has every package that the sources import', () => {
    const imports = filesBelow('src').flatMap((file) =>
      [...read(file).matchAll(/(?:\bfrom |\bimport\()'([^'.][^']*)'/gu)].map(([, from = '']) =>
        from.replace(/^(@[^/]+\/[^/]+|[^@/]+)\/.*$/u, '$1'),
      ),
    );
    const packages = imports.filter(
      (name) => !name.startsWith('node:') && !builtinModules.includes(name) && name !== 'vscode',
    );
    const listed = table('ARCHITECTURE.md', 'package').flatMap(([cell = '']) => cell.split(', '));
    assert.deepEqual(listed.toSorted(), [...new Set(packages)].toSorted());
  });
});

describe('The comments of src', () => {
  it('name files that are there', () => {
    const missing = filesBelow('src').flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => /^\s*(?:\/\*\*|\*|\/\/)/u.test(line))
        .flatMap((line) => line.match(/\b[\w./-]+\.(?:ts|mjs)\b/gu) ?? [])
        .filter((name) => !isThere(name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(missing, []);
  });
});

describe('CONTRIBUTING.md', () => {
  it('has 6,000 bytes at most', () => {
    assert.equal(Math.max(Buffer.byteLength(read('CONTRIBUTING.md')), 6_000), 6_000);
  });
});
