// The walkthrough for newcomers: opened from the view without servers, its buttons do what they say, its steps end
// when that is done.
import type { Locator } from 'playwright-core';
import { scripted } from '../support/servers.ts';
import { openWorkbench, until, type Workbench } from '../support/workbench.ts';

const steps = [
  'Add your first server',
  'Know what you allow',
  'See its tools and resources',
  'Use a prompt in chat',
  'When something does not work',
];

describe('The walkthrough', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
    await workbench.tree.show();
  });

  after(() => workbench.close());

  function step(title: string): Locator {
    return workbench.page.locator('.getting-started-step').filter({
      has: workbench.page.locator('.step-title').getByText(title, { exact: true }),
    });
  }

  /** Opens the step, and waits for its picture. */
  async function open(title: string): Promise<void> {
    const isOpen = step(title).and(workbench.page.locator('.expanded'));
    await until(
      `the step "${title}" to be open`,
      async () => {
        if ((await isOpen.count()) === 0) {
          await step(title)
            .locator('.step-title')
            .click({ timeout: 5_000 })
            .catch(() => undefined);
        }
        return isOpen.count();
      },
      (count) => count === 1,
    );
    await workbench.page.locator('.gettingStartedContainer .getting-started-media').waitFor();
  }

  async function done(title: string): Promise<void> {
    await step(title).locator('[role=checkbox][aria-checked=true]').waitFor();
  }

  async function press(title: string, button: string): Promise<void> {
    await step(title).locator('.monaco-button').getByText(button, { exact: true }).click();
  }

  it('opens from the view without servers', async () => {
    await workbench.page.locator('.welcome-view a').getByText('Get started').click();
    for (const title of steps) await step(title).waitFor();
    await workbench.screenshot('walkthrough');
  });

  it('adds a server by its button, and the step is done once there is one', async () => {
    await open('Add your first server');
    await press('Add your first server', 'Add Server');
    await workbench.quickInput.waitFor();
    await workbench.screenshot('walkthrough-add');
    await workbench.quickInput.cancel();
    await workbench.quickInput.waitForEnd();
    await workbench.settings.setWorkspace({
      'mcpHost.servers': { showcase: scripted('showcase.mjs') },
    });
    await done('Add your first server');
    await workbench.notifications.answer('waits for your consent', 'Review…');
    await workbench.dialog.expect();
    await workbench.dialog.answer('Allow');
    await workbench.extension.waitForServer('showcase', 'ready');
  });

  it('finds tools, resources and prompts by its buttons', async () => {
    await open('See its tools and resources');
    await workbench.screenshot('walkthrough-offers');
    await press('See its tools and resources', 'Go to Resource');
    await workbench.quickInput.waitForItems('the resources', (items) => items.includes('Colours'));
    await workbench.quickInput.cancel();
    await workbench.quickInput.waitForEnd();
    await open('Use a prompt in chat');
    await workbench.screenshot('walkthrough-prompt');
    await press('Use a prompt in chat', 'Use a Prompt');
    await workbench.quickInput.waitForItems('the prompts', (items) => items.includes('Greeting'));
    await workbench.quickInput.cancel();
    await workbench.quickInput.waitForEnd();
  });

  it('shows what was allowed, and the log', async () => {
    await open('Know what you allow');
    await workbench.screenshot('walkthrough-consent');
    await press('Know what you allow', 'Manage Approvals');
    await workbench.quickInput.waitForItems('the server', (items) => items.includes('showcase'));
    await workbench.quickInput.cancel();
    await workbench.quickInput.waitForEnd();
    await open('When something does not work');
    await workbench.screenshot('walkthrough-logs');
    await press('When something does not work', 'Show Host Log');
    await workbench.page.locator('.part.panel .output-view').waitFor();
    for (const title of steps) await done(title);
    await workbench.screenshot('walkthrough-done');
  });
});
