import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'mocha';
import { modelSchema } from '../../src/host/agent/modelSchema.ts';
import {
  commandIds,
  contextKeys,
  definitionProviderId,
  extensionId,
  participantId,
  resourceScheme,
  toolNames,
  viewId,
} from '../../src/vscode/ids.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => fs.readFileSync(new URL(file, root), 'utf8');
const manifest: {
  readonly name: string;
  readonly publisher: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly chatParticipants: readonly {
      readonly id: string;
      readonly name: string;
      readonly isSticky: boolean;
      readonly commands: readonly { readonly name: string }[];
    }[];
    readonly commands: readonly { readonly command: string; readonly category?: string }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly scope: string }>>;
    };
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly inputSchema: Readonly<Record<string, unknown>>;
    }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
} = JSON.parse(read('package.json'));
const texts: Readonly<Record<string, string>> = JSON.parse(read('package.nls.json'));

describe('package.json', () => {
  it('has the commands of ids.ts, each with a category', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.toSorted(), Object.values(commandIds).toSorted());
    assert.deepEqual(
      manifest.contributes.commands.filter(({ category }) => category !== 'MCP Host'),
      [],
    );
  });

  it('has only known commands in its menus', () => {
    const known = new Set<string>(Object.values(commandIds));
    const used = Object.values(manifest.contributes.menus).flat();
    assert.deepEqual(
      used.filter(({ command }) => !known.has(command)),
      [],
    );
  });

  it('agrees with ids.ts on the extension, the view, the scheme and the context keys', () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, extensionId);
    assert.ok(
      Object.values(manifest.contributes.views)
        .flat()
        .some(({ id }) => id === viewId),
    );
    assert.ok(manifest.activationEvents.includes(`onFileSystem:${resourceScheme}`));
    for (const key of Object.values(contextKeys)) {
      assert.ok(read('package.json').includes(key), `${key} is read by no "when" clause`);
    }
  });

  it('has the participant of ids.ts with its commands', () => {
    const [participant, ...others] = manifest.contributes.chatParticipants;
    assert.equal(participant?.id, participantId);
    assert.deepEqual(others, []);
    assert.deepEqual([participant.name, participant.isSticky], ['mcp', true]);
    assert.deepEqual(
      participant.commands.map(({ name }) => name),
      ['prompt', 'resource', 'tools', 'servers'],
    );
  });

  it('has the provider of MCP servers of ids.ts', () => {
    const ids = manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id);
    assert.deepEqual(ids, [definitionProviderId]);
  });

  it('has the language model tools of ids.ts, which can be named with # in chat', () => {
    const tools = manifest.contributes.languageModelTools;
    const names = tools.map(({ name }) => name);
    assert.deepEqual(names, Object.values(toolNames));
    assert.deepEqual(
      tools.map(({ toolReferenceName }) => toolReferenceName),
      names,
    );
    assert.deepEqual(
      tools.map(({ inputSchema }) => modelSchema(inputSchema).kind),
      ['usable', 'usable', 'usable', 'usable'],
    );
  });

  it('keeps every setting of a workspace from being read in Restricted Mode', () => {
    const settings = Object.entries(manifest.contributes.configuration.properties);
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    const resource = settings
      .filter(([, { scope }]) => scope !== 'application')
      .map(([key]) => key);
    assert.deepEqual(resource.toSorted(), restricted.toSorted());
  });

  it('has a text for every placeholder, and a placeholder for every text', () => {
    const placeholders = [...read('package.json').matchAll(/"%([^%"]+)%"/gu)].map(
      ([, key = '']) => key,
    );
    assert.deepEqual(new Set(placeholders), new Set(Object.keys(texts)));
  });
});
