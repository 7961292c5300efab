import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { modelSchema } from '../../src/host/chat/modelSchema.ts';
import {
  commandId,
  commandNames,
  contextKeys,
  definitionProviderId,
  extensionId,
  participantId,
  resourceScheme,
  toolNames,
  viewId,
  walkthroughId,
} from '../../src/vscode/ids.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string): string => fs.readFileSync(new URL(file, root), 'utf8');
interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const manifest: {
  readonly name: string;
  readonly publisher: string;
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly chatParticipants: readonly {
      readonly id: string;
      readonly name: string;
      readonly isSticky: boolean;
      readonly commands: readonly { readonly name: string }[];
    }[];
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly icon?: string;
    }[];
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly inputSchema: Readonly<Record<string, unknown>>;
    }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly steps: readonly {
        readonly id: string;
        readonly title: string;
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
} = JSON.parse(read('package.json'));
const texts: Readonly<Record<string, string>> = JSON.parse(read('package.nls.json'));

describe('package.json', () => {
  it('has the commands of ids.ts, each with a category', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.toSorted(), commandNames.map(commandId).toSorted());
    assert.deepEqual(
      manifest.contributes.commands.filter(({ category }) => category !== 'MCP Host'),
      [],
    );
  });

  it('has only known commands in its menus', () => {
    const known = new Set<string>(commandNames.map(commandId));
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

  it('has the titles of commands in package.nls.json', () => {
    const titles = manifest.contributes.commands.map(({ title }) => /^%(.*)%$/u.exec(title)?.[1]);
    assert.deepEqual(
      titles.filter((key) => !/^\p{Lu}\S/u.test(texts[key ?? ''] ?? '')),
      [],
    );
  });

  it('has every command that messages and documents name', () => {
    const titles = new Set(
      manifest.contributes.commands.map(({ title }) => texts[title.slice(1, -1)]),
    );
    const files = fs.globSync(['src/**/*.ts', 'docs/*.md', '*.md', 'package.nls.json'], {
      cwd: fileURLToPath(root),
    });
    const named = files.flatMap((file) =>
      // Documents break lines within a name.
      Array.from(
        read(file)
          .replaceAll(/\s+/gu, ' ')
          .matchAll(/(?:"|\*\*)MCP Host: ([^"*]+)(?:"|\*\*)/gu),
        ([, title = '']) => ({ file, title: title.replaceAll('\\', '').trim() }),
      ),
    );
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter(({ title }) => !titles.has(title)),
      [],
    );
  });

  it('has an icon for every command that is shown as one', () => {
    const iconic = Object.entries(manifest.contributes.menus)
      // In the title of an editor two words are drawn as words, on purpose.
      .filter(([menu]) => menu !== 'editor/title' && menu !== 'commandPalette')
      .flatMap(([, items]) => items)
      .filter(({ group = '' }) => /^(?:inline|navigation)/u.test(group));
    const icons = new Map(
      manifest.contributes.commands.map(({ command, icon }) => [command, icon ?? '']),
    );
    assert.ok(iconic.length > 0);
    // A product icon has the colours of its surroundings, in high contrast too.
    assert.deepEqual(
      iconic.filter(({ command }) => !/^\$\([a-z-]+\)$/u.test(icons.get(command) ?? '')),
      [],
    );
  });

  it('has a place for every item of a menu, and no two at the same one', () => {
    for (const [menu, items] of Object.entries(manifest.contributes.menus)) {
      if (menu === 'commandPalette') {
        continue;
      }
      const places = items.map(({ group = '', when = '' }) => `${group} when ${when}`);
      assert.deepEqual(
        places.filter((place) => !/^\w+@\d+ when \S/u.test(place)),
        [],
      );
      assert.deepEqual(places.length, new Set(places).size, menu);
    }
  });

  it('asks for a row only in the menu of a row: the editor knows none elsewhere', () => {
    const { 'view/item/context': ofRows, ...others } = manifest.contributes.menus;
    assert.ok(ofRows?.some(({ when }) => when?.includes('viewItem')));
    assert.deepEqual(
      Object.values(others)
        .flat()
        .filter(({ when }) => when?.includes('viewItem')),
      [],
    );
  });

  it('has every command in the palette, or where a keyboard gets to it otherwise', () => {
    const { commandPalette = [], ...menus } = manifest.contributes.menus;
    const hidden = commandPalette
      .filter(({ when }) => when === 'false')
      .map(({ command }) => command);
    const inMenus = new Set(
      Object.values(menus)
        .flat()
        .filter(({ group = '' }) => !group.startsWith('inline'))
        .map(({ command }) => command),
    );
    assert.deepEqual(
      hidden.filter((command) => !inMenus.has(command)),
      // Buttons of an answer in the chat and links of a result's page, which Tab finds; the line of a long list in the
      // tree, which Enter runs.
      [
        commandId('leaveOutApp'),
        commandId('openApp'),
        commandId('openResultPart'),
        commandId('saveResultPart'),
        commandId('showMore'),
      ],
    );
  });

  it('has the walkthrough of ids.ts: commands that are there, events that are known, pictures with a text', () => {
    const [walkthrough, ...others] = manifest.contributes.walkthroughs;
    assert.equal(walkthrough?.id, walkthroughId);
    assert.deepEqual(others, []);
    const known = new Set<string>([
      ...commandNames.map(commandId),
      `${viewId}.focus`,
      'workbench.action.chat.open',
    ]);
    for (const { description, media, completionEvents } of walkthrough.steps) {
      const text = texts[description.slice(1, -1)] ?? '';
      const linked = Array.from(text.matchAll(/\(command:([\w.]+)/gu), ([, id = '']) => id);
      const awaited = completionEvents.flatMap(
        (event) => /^onCommand:(.*)/u.exec(event)?.[1] ?? [],
      );
      assert.ok(linked.length > 0, text);
      assert.deepEqual(
        [...linked, ...awaited].filter((id) => !known.has(id)),
        [],
      );
      assert.match(read(media.svg), /^<svg /u);
      assert.ok((texts[media.altText.slice(1, -1)] ?? '').length > 20);
    }
    assert.ok((texts['welcome.noServers'] ?? '').includes(`${extensionId}%23${walkthroughId}`));
  });

  it('has the participant of ids.ts with its commands', () => {
    const [participant, ...others] = manifest.contributes.chatParticipants;
    assert.equal(participant?.id, participantId);
    assert.deepEqual(others, []);
    assert.deepEqual([participant.name, participant.isSticky], ['mcp', true]);
    assert.deepEqual(
      participant.commands.map(({ name }) => name),
      ['prompt', 'resource', 'skill', 'tools', 'servers', 'export'],
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
      tools.filter(({ inputSchema }) => modelSchema(inputSchema).kind !== 'usable'),
      [],
    );
  });

  it('has a text for every placeholder, and a placeholder for every text', () => {
    const placeholders = [...read('package.json').matchAll(/"%([^%"]+)%"/gu)].map(
      ([, key = '']) => key,
    );
    assert.deepEqual(new Set(placeholders), new Set(Object.keys(texts)));
  });
});
