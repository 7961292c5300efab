/** Settings of any shape, and files of other programs: read as far as they make sense, with words for the rest. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseConfig } from '../../src/host/config/parseConfig.ts';
import { referencesIn, replaceReferences } from '../../src/host/config/variables.ts';
import { parseImport } from '../../src/host/import/parseImport.ts';
import { almost, objectOf, text, value } from './arbitraries.ts';
import type { Fuzz } from './fuzz.ts';

const withVariables = fc.oneof(
  text,
  fc
    .array(
      fc.constantFrom(...'${ } env: input: A userHome workspaceFolder : ${env:A} $& $1'.split(' ')),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
);
const url = fc.oneof(
  withVariables,
  fc.constantFrom(
    ...'http://a.example/mcp wss://a.example unix:///x.sock#/mcp http://[::1]:1/'.split(' '),
    ...'https://u:p@a.example file:///etc'.split(' '),
  ),
);
const texts = fc.array(withVariables, { maxLength: 3 });
const named = objectOf(
  fc.oneof(withVariables, value.any),
  fc.oneof(text, fc.constantFrom('A', 'PATH')),
  3,
);

const entry = almost({
  type: fc.constantFrom('stdio', 'http', 'sse', 'ws'),
  command: withVariables,
  args: texts,
  env: named,
  envFile: withVariables,
  cwd: withVariables,
  url,
  headers: named,
  enabled: fc.boolean(),
  disabled: fc.boolean(),
  startup: fc.constantFrom('auto', 'onDemand', 'manual'),
  timeouts: almost({
    startSeconds: fc.double(),
    requestSeconds: fc.integer(),
    totalSeconds: fc.integer(),
  }),
  roots: fc.oneof(fc.constantFrom('all', 'none'), texts),
  protocol: fc.constantFrom('auto', '2025-11-25', '2026-07-28', 'none'),
  elicitation: fc.boolean(),
  sampling: fc.boolean(),
  oauth: almost({
    clientId: withVariables,
    scopes: texts,
    accounts: text,
    clientSecret: withVariables,
  }),
  tls: almost({
    ca: fc.oneof(withVariables, texts),
    cert: withVariables,
    key: withVariables,
    passphrase: withVariables,
    insecure: fc.boolean(),
  }),
  proxy: fc.oneof(url, withVariables, fc.constantFrom(false, 'http://a:${input:x}@b:1')),
});

const servers = objectOf(entry, fc.oneof(text, fc.constantFrom('a', 'b')), 4);
const inputs = fc.array(
  almost({
    id: text,
    type: fc.constantFrom('promptString', 'pickString', 'command'),
    description: text,
    options: texts,
    default: withVariables,
    password: fc.boolean(),
  }),
  { maxLength: 3 },
);

/** One bad entry costs itself; whatever comes out can be shown, compared and stored. */
const configuration: Fuzz = {
  name: 'configuration',
  share: 10,
  property: fc.property(
    fc.array(fc.tuple(fc.oneof(servers, value.any), fc.oneof(inputs, value.any)), {
      minLength: 1,
      maxLength: 2,
    }),
    (scopes) => {
      const kinds = ['user', 'workspace'] as const;
      const config = parseConfig(
        scopes.map(([own, asked], index) => ({
          scope: { kind: kinds[index] ?? 'user' },
          servers: own,
          inputs: asked,
        })),
      );
      for (const problem of config.problems) {
        assert.ok(problem.message !== '' && problem.message.length < 2_000);
      }
      for (const server of config.servers) {
        assert.ok(
          server.name !== '' &&
            server.timeouts.startMs > 0 &&
            Number.isFinite(server.timeouts.totalMs),
        );
      }
      assert.equal(new Set(config.servers.map(({ id }) => id)).size, config.servers.length);
      JSON.stringify(config.servers);
      return true;
    },
  ),
};

/** Variables are found where they are replaced, and values are put in as they are. */
const variables: Fuzz = {
  name: 'variables',
  share: 10,
  property: fc.property(withVariables, text, (template, put) => {
    const found = referencesIn(template);
    assert.equal(
      replaceReferences(template, () => undefined),
      template,
    );
    const replaced = replaceReferences(template, () => put);
    const rest = found.reduce(
      (sum, reference) => sum - reference.text.length + put.length,
      template.length,
    );
    assert.equal(replaced.length, rest);
    return true;
  }),
};

const formats = fc.constantFrom(
  'vscode',
  'mcpJson',
  'claudeCode',
  'claudeDesktop',
  'cursor',
  'windsurf',
  'cline',
  'roo',
  'gemini',
  'codex',
  'continue',
);
const fileNames = fc.constantFrom('mcp.json', 'config.toml', 'config.yaml', '.claude.json', 'x');
const file = fc.oneof(
  almost({
    mcpServers: servers,
    servers,
    mcp: almost({ servers }),
    inputs,
    projects: objectOf(almost({ mcpServers: servers }), text, 2),
  }).map((content) => JSON.stringify(content)),
  servers.map((content) => `{"mcpServers": ${JSON.stringify(content)}`),
  fc
    .array(
      fc.oneof(
        text,
        fc.constantFrom(
          ...'[mcp_servers.a]¦\n¦a = "b"¦- name: ¦  ¦mcpServers:¦&a ¦*a¦{¦}¦//¦/*'.split('¦'),
        ),
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join('')),
);

/** Any file of any program gives servers or a reason. */
const imports: Fuzz = {
  name: 'import',
  share: 1,
  property: fc.property(formats, fileNames, file, (format, fileName, content) => {
    const { servers: found, problems } = parseImport(format, fileName, content, {
      platform: 'linux',
      env: {},
      folder: '/work/a',
    });
    assert.ok(found.every(({ name }) => typeof name === 'string'));
    assert.ok((problems ?? []).every((problem) => problem.length < 2_000));
    return true;
  }),
};

export const settings: readonly Fuzz[] = [configuration, variables, imports];
