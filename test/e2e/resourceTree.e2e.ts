// Very many resources in the MCP view: folders, pages that come late, what a row tells.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { newFile } from './support/ground.ts';
import { scripted } from './support/servers.ts';
import { inWindow } from './support/workbench.ts';

describe('Resources in the MCP view', () => {
  const release = newFile('release');
  const workbench = inWindow({
    servers: { library: scripted('library.mjs', { RELEASE: release }) },
    ready: ['library'],
  });
  const { tree } = workbench;

  it('PAGE-01: shows the first page while the next one is awaited', async () => {
    await tree.expectRow('Resources', /^40, loading…$/u);
    await tree.expand('Resources');
    await tree.expectLabels(
      'Resources',
      'demo://archive/2024',
      'file:///srv/handbook',
      'Loading the rest…',
    );
    await writeFile(release, '');
    await tree.expectRow('Resources', /^1,267$/u);
  });

  it('RES-01, NAME-01: sorts resources into folders by their URIs, and gives each a name', async () => {
    await tree.expand('file:///srv/handbook', 'café');
    await tree.expectLabels(
      'file:///srv/handbook',
      'café',
      'file:///srv/handbook/caf%C3%A9/menu.txt',
      'odd',
      'chapters',
      'The Handbook',
    );
    await tree.expectRow('chapters', /^30$/u);
    await tree.expectRow('The Handbook', /^12\.3 kB · How things are done here$/u);
    await tree.expectRow('file:///srv/handbook/caf%C3%A9/menu.txt', /^1 byte$/u);
  });

  it('RES-10: tells size, audience, priority and time of a resource in its tooltip', async () => {
    const tooltip = await tree.tooltip('The Handbook', 'Priority');
    for (const part of [
      'URI file:///srv/handbook/README.md',
      'Type text/markdown',
      'Size 12.3 kB',
      'Meant for you and the model',
      'Priority 0.8 of 1',
      'Last modified Mar 4, 2025',
    ]) {
      assert.ok(tooltip.includes(part), `${part}: ${tooltip}`);
    }
  });
});
