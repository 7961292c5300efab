// Very many resources in the MCP view: folders, pages that come late, what a row tells, icons.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ground } from './support/ground.ts';
import { scripted } from './support/servers.ts';
import { eventually, openWorkbench, until } from './support/workbench.ts';
import type { Row, Workbench } from './support/workbench.ts';

describe('Resources in the MCP view', () => {
  let workbench: Workbench;

  let release: string;

  before(async () => {
    release = path.join(await mkdtemp(path.join(ground().folder, 'library-')), 'release');
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': { library: scripted('library.mjs', { RELEASE: release }) },
      },
    });
    await workbench.showServers();
    await workbench.waitForServer('library', 'ready');
  });

  after(() => workbench.close());

  /** Waits until the row with this label says `description`. */
  async function waitForDescription(label: string, description: string): Promise<readonly Row[]> {
    return workbench.waitForRows(`${label} to say "${description}"`, (rows) =>
      rows.some((row) => row.label === label && row.description === description),
    );
  }

  /** The address of the picture on a row, as its style says it. */
  async function iconOf(label: string): Promise<string> {
    const icon = workbench.row(label).locator('.custom-view-tree-node-item-icon');
    return (await icon.getAttribute('style')) ?? '';
  }

  /** Waits until these labels stand one below the other. */
  async function waitForLabels(...labels: readonly string[]): Promise<void> {
    await workbench.waitForRows(labels.join(', '), (rows) => {
      const from = rows.findIndex(({ label }) => label === labels[0]);
      return labels.every((label, index) => rows[from + index]?.label === label);
    });
  }

  it('PAGE-01: shows the first page while the next one is awaited', async () => {
    await waitForDescription('Resources', '40, loading…');
    await workbench.expand('Resources');
    await waitForLabels(
      'Resources',
      'demo://archive/2024',
      'file:///srv/handbook',
      'Loading the rest…',
    );
    await workbench.screenshot('resources-first-page');
    await writeFile(release, '');
    await waitForDescription('Resources', '1,267');
  });

  it('RES-01, NAME-01: sorts resources into folders by their URIs, and gives each a name', async () => {
    await workbench.expand('file:///srv/handbook', 'café');
    await waitForLabels(
      'file:///srv/handbook',
      'café',
      'file:///srv/handbook/caf%C3%A9/menu.txt',
      'odd',
      'chapters',
      'The Handbook',
    );
    await waitForDescription('chapters', '30');
    await waitForDescription('The Handbook', '12.3 kB · How things are done here');
    await waitForDescription('file:///srv/handbook/caf%C3%A9/menu.txt', '1 byte');
    await workbench.screenshot('resources-folders');
  });

  it('RES-10: tells size, audience, priority and time of a resource in its tooltip', async () => {
    const tooltip = await workbench.tooltip('The Handbook', 'Priority');
    await workbench.screenshot('resources-tooltip');
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

  it('tells a screen reader what a row is', async () => {
    for (const [label, spoken] of [
      ['The Handbook', 'The Handbook, resource, 12.3 kB, How things are done here'],
      ['chapters', 'chapters, folder, 30 resources'],
      ['Resources', 'Resources, 1,267'],
    ] as const) {
      await until(
        `${label} to be called "${spoken}"`,
        () => workbench.row(label).getAttribute('aria-label'),
        (name) => name === spoken,
      );
    }
  });

  it('ICON-01, ICON-04: draws the icons of server and tools that may be drawn, by theme', async () => {
    await workbench.expand('Tools');
    for (const [label, file] of [
      ['library', /icons(?:\/|%2F)[0-9a-f]{64}\.png/u],
      ['lend', /icons(?:\/|%2F)[0-9a-f]{64}\.svg/u],
    ] as const) {
      await eventually(
        () => iconOf(label),
        (shown) => assert.match(shown, file),
      );
    }
    assert.doesNotMatch(await iconOf('return'), /url/u);
    await workbench.screenshot('resources-icons');
    await workbench.collapse('Tools');
  });

  it('keeps open what is open when the list is fetched again', async () => {
    await workbench.expand('chapters');
    await workbench.runCommand('MCP Host: Refresh Lists');
    await workbench.quickInput.pick('library');
    await waitForLabels('odd', 'chapters', 'chapter-1.md', 'chapter-2.md');
    await waitForDescription('Resources', '1,267');
    await workbench.collapse('chapters');
  });
});
