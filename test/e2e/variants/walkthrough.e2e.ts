// The walkthrough for newcomers: opened from the view without servers, its buttons do what they say, its steps end
// when that is done.
import type { Locator } from 'playwright-core';
import { scripted } from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

const steps = [
  'Add your first server',
  'Know what you allow',
  'See its tools and resources',
  'Use a prompt in chat',
  'When something does not work',
];

describe('The walkthrough', () => {
  const workbench = inWindow();
  const { dialog, quickInput, notifications, extension, settings } = workbench;

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
  });

  it('adds a server by its button, and the step is done once there is one', async () => {
    await open('Add your first server');
    await press('Add your first server', 'Add Server');
    await quickInput.waitFor();
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await settings.setWorkspace({
      'mcpHost.servers': { showcase: scripted('showcase.mjs') },
    });
    await done('Add your first server');
    await notifications.answer('waits for your consent', 'Review…');
    await dialog.answer('Allow');
    await extension.waitForServer('showcase', 'ready');
  });

  it('finds tools, resources and prompts by its buttons', async () => {
    await open('See its tools and resources');
    await press('See its tools and resources', 'Go to Resource');
    await quickInput.expectItem('Colours');
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await open('Use a prompt in chat');
    await press('Use a prompt in chat', 'Use a Prompt');
    await quickInput.expectItem('Greeting');
    await quickInput.cancel();
    await quickInput.waitForEnd();
  });

  it('shows what was allowed, and the log', async () => {
    await open('Know what you allow');
    await press('Know what you allow', 'Manage Approvals');
    await quickInput.expectItem('showcase');
    await quickInput.cancel();
    await quickInput.waitForEnd();
    await open('When something does not work');
    await press('When something does not work', 'Show Host Log');
    await workbench.page.locator('.part.panel .output-view').waitFor();
    for (const title of steps) await done(title);
  });
});
