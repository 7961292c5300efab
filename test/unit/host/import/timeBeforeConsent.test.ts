/** What a repository, a link or a paste holds is read by the editor's own thread, before anybody consents to it. */
import assert from 'node:assert/strict';
import { inputOf } from '../../../../src/host/launch/inputs.ts';
import { parseConfig } from '../../../../src/host/config/parseConfig.ts';
import { describeLaunch } from '../../../../src/host/launch/describeLaunch.ts';
import type { ImportFormat } from '../../../../src/host/import/locations.ts';
import { parseImport } from '../../../../src/host/import/parseImport.ts';
import { planImport } from '../../../../src/host/import/planImport.ts';
import { cpuMsOf } from '../../../support/cpuTime.ts';
import { folder, machineWith } from '../../../support/launches.ts';

/** Of an entry, less what is around the text. */
const length = 60 * 1024;
/** Each step takes less than a third of it; what grows with the square of the length takes at least twice of it. */
const maxMs = 240;

const scope = { kind: 'workspace' } as const;
const machine = machineWith();

/** Pieces one after the other, each with a number of its own. */
function pieces(piece: (number: number) => string): readonly string[] {
  const count = Math.floor(length / (piece(1_000).length + 3));
  return Array.from({ length: count }, (_, number) => piece(number + 1_000));
}

const numbered = (piece: (number: number) => string): string => pieces(piece).join('');
const repeated = (piece: string): string => piece.repeat(length / piece.length);
const half = (piece: string): string => piece.repeat(length / 2 / piece.length);

describe('Time before consent', () => {
  const cases: readonly (readonly [string, object, ImportFormat?])[] = [
    ['passwords in a URL', { url: `https://a${repeated('://a:b@')}` }],
    ['secrets in a URL', { url: `https://a${half('://a:b@')}?${half('&key=a')}` }],
    ['tokens in an argument', { command: 'x', args: [repeated('sk-a1B2c3D4a1B2c3D4/')] }],
    ['arguments that are secrets', { command: 'x', args: pieces(() => 'TOKEN=abcdefg') }],
    ['unknown variables', { command: 'x', args: [numbered((n) => `\${a${n}!}`)] }],
    ['variables that are not set', { command: 'x', args: [numbered((n) => `\${A${n}}`)] }],
    ['defaults of variables', { command: 'x', args: [numbered((n) => `\${A${n}:-b}`)] }],
    ['inputs', { command: 'x', args: [numbered((n) => `\${input:a${n}}`)] }],
    ['variables that it does not replace', { command: numbered((n) => `\${a${n}}`) }, 'codex'],
    ['a deep working directory', { command: 'x', cwd: repeated('a/') }],
    ['a deep path of a file', { command: 'x', envFile: repeated('a/') }],
    ['a deep path of a program', { command: repeated('://') }],
    ['a deep path of an authority', { url: 'https://a', tls: { ca: repeated('a/') } }],
  ];
  for (const [what, entry, format = 'mcpJson'] of cases) {
    it(`is short for ${what}`, async () => {
      const took: number[] = [];
      function timed<T>(step: () => T): T {
        const results: T[] = [];
        took.push(cpuMsOf(() => results.push(step())));
        const [result] = results;
        assert.ok(result !== undefined);
        return result;
      }
      const around = { platform: 'linux', env: {} };
      const file = JSON.stringify({ mcpServers: { a: entry }, mcp_servers: { a: entry } });
      const { servers } = timed(() => parseImport(format, 'a.json', file, around));
      const [server] = servers;
      assert.ok(server);
      const chosen = { server, name: 'a', file: '', isSecret: () => true };
      const planned = timed(() => planImport([chosen], []));
      const config = timed(() => parseConfig([{ scope, ...planned }]));
      const [parsed] = config.servers;
      if (parsed !== undefined) {
        const start = process.cpuUsage();
        await describeLaunch(parsed, {
          machine,
          folders: [folder],
          roots: [],
          inputOf: (id) => inputOf(config, scope, id),
          given: (id) => planned.texts.get(id),
          onProblem: () => undefined,
        });
        const { user, system } = process.cpuUsage(start);
        took.push((user + system) / 1_000);
      }
      assert.ok(
        took.every((ms) => ms < maxMs),
        took.join(', '),
      );
    });
  }
});
