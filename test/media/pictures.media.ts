// Makes the pictures of README.md and docs/, and the animation of the main jobs, from the extension at work: `npm run media`.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { ground } from '../e2e/support/ground.ts';
import { published, scripted } from '../e2e/support/servers.ts';
import { inWindow, plainTyping, type Workbench } from '../e2e/support/workbench.ts';

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

const size = { width: 1200, height: 700 };
const servers = {
  budget: published('server-budget-allocator', '--stdio'),
  everything: published('server-everything', 'stdio'),
  showcase: scripted('showcase.mjs'),
  booking: scripted('elicit.mjs'),
};

async function boxOf(part: Locator): Promise<Box> {
  await part.waitFor();
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not drawn');
  return box;
}

async function save(name: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path.join(ground().root, 'docs/images', name), bytes);
}

describe('The pictures', () => {
  const workbench = inWindow({
    servers,
    workspaceServers: { notes: { command: 'npx', args: ['-y', 'notes-server', './notes'] } },
    userSettings: plainTyping,
    ready: Object.keys(servers),
  });
  const { chat, dialog, editors, notifications, quickInput, tree } = workbench;
  const dialogBox = '.monaco-dialog-box';
  const quickInputBox = '.quick-input-widget:visible';

  before(() => workbench.page.setViewportSize(size));

  it('a server of a workspace is asked about', async () => {
    await notifications.answer('waits for your consent', 'Review…');
    await dialog.expect();
    await still('consent.png', dialogBox);
    await dialog.answer('Cancel');
  });

  it('the view, and a resource', async () => {
    await tree.collapse('budget');
    await tree.expand('everything', 'Resources');
    await tree.clickRow('architecture.md');
    await editors.waitForText('Architecture');
    await workbench.page.getByText('Activating Extensions').waitFor({ state: 'hidden' });
    await still('servers.png');
    await workbench.closeEditors();
    await tree.collapse('Resources');
  });

  it('prompts in the chat', async () => {
    await chat.open();
    await chat.waitForSuggestions('/mcp.', 'the prompts', ({ length }) => length > 2);
    await still('slash-commands.png', '.suggest-widget.visible', '.interactive-input-part');
    await chat.pickSuggestion('/mcp.everything.completable-prompt');
    await quickInput.expectItem('Engineering');
    await quickInput.fill('S');
    await quickInput.waitForItems(
      'what fits',
      (items) => items.includes('Sales') && !items.includes('Engineering'),
    );
    await still('argument.png', quickInputBox);
    await quickInput.cancel();
    await chat.clear();
  });

  it('a call of the model', async () => {
    await chat.send('showcase_add_note {"text": "Buy milk"}');
    await dialog.expect();
    await still('approval.png', dialogBox);
    await dialog.answer('Run');
    await chat.waitForAnswer('The tool answered');
    await still('mcp.png', '.interactive-session .interactive-list');
  });

  it('a call of an agent', async () => {
    await chat.send('mcp_showcase_add_note {"text": "Buy milk"}', 'agent');
    await chat.confirmationText();
    await still(
      'card.png',
      '.interactive-session .chat-confirmation-widget-container:visible, .interactive-session .chat-confirmation-widget2:visible',
    );
    await chat.confirmUntilDialog();
    await dialog.answer('Deny');
  });

  it('a form of a tool, and one of a server', async () => {
    await workbench.chooseTool('Add a Note');
    await quickInput.fill('Buy milk');
    await still('tool-form.png', quickInputBox);
    await quickInput.cancel();
    await workbench.chooseTool('ask');
    await dialog.answer('Run');
    await quickInput.expectTitle(/Name \(1\/9\)/u);
    await quickInput.enter('Ada');
    for (const [index, answer] of ['', '2', '0'].entries()) {
      await quickInput.expectTitle(new RegExp(`\\(${index + 2}/9\\)`, 'u'));
      await quickInput.enter(answer);
    }
    for (const title of ['Window seat', 'Insurance']) {
      await quickInput.expectTitle(new RegExp(title, 'u'));
      await quickInput.accept();
    }
    await quickInput.pick('Fish');
    await quickInput.pick('Wi-Fi');
    await quickInput.accept();
    await quickInput.expectItem('Send');
    await still('form.png', quickInputBox);
    await quickInput.cancel();
  });

  it('the messages of a server', async () => {
    await workbench.page.setViewportSize({ ...size, width: 1_700 });
    await workbench.closeEditors();
    await tree.chooseInMenu('showcase', 'Inspect Messages');
    await editors.webview('initialize');
    await still('messages.png', '.part.editor');
  });

  /** The window, or what encloses these parts of it. */
  async function still(name: string, ...parts: readonly string[]): Promise<void> {
    const { page } = workbench;
    await page.mouse.move(size.width - 1, size.height - 1);
    await settle(300);
    // The folder of this run is nobody's.
    await page.evaluate(`
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { data } = texts.currentNode;
        const shown = data.replaceAll(${JSON.stringify(workbench.folder)}, '/home/ann/project');
        if (shown !== data) texts.currentNode.data = shown;
      }
    `);
    const boxes = await Promise.all(parts.map((part) => boxOf(page.locator(part).first())));
    const [left, top] = [
      Math.min(...boxes.map(({ x }) => x)),
      Math.min(...boxes.map(({ y }) => y)),
    ];
    const right = Math.max(...boxes.map(({ x, width }) => x + width));
    const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
    const bytes = await page.screenshot({
      animations: 'disabled',
      ...(parts.length > 0 && {
        clip: { x: left, y: top, width: right - left, height: bottom - top },
      }),
    });
    await save(name, await sharp(bytes).png({ palette: true, effort: 10 }).toBuffer());
  }

  /** What glides in and what is drawn late is there afterwards. */
  function settle(ms: number): Promise<void> {
    return workbench.page.waitForTimeout(ms);
  }
});

/** The frames of an animation, each with the milliseconds for which it stands. */
class Film {
  readonly #workbench: Workbench;
  readonly #frames: Buffer[] = [];
  readonly #delays: number[] = [];

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** A pointer, which the picture of a page has not. */
  async showPointer(): Promise<void> {
    await this.#workbench.page.evaluate(`
      const pointer = document.createElement('div');
      pointer.style.cssText = 'position:fixed;z-index:1000000;pointer-events:none;width:22px;height:22px;border-radius:50%;background:#f5a62380;border:2px solid #f5a623;transform:translate(-50%,-50%)';
      document.body.append(pointer);
      addEventListener('mousemove', ({ clientX, clientY }) => {
        pointer.style.left = clientX + 'px';
        pointer.style.top = clientY + 'px';
      }, true);
    `);
  }

  async frame(ms: number): Promise<void> {
    this.#frames.push(await this.#workbench.page.screenshot());
    this.#delays.push(ms);
  }

  async save(name: string): Promise<void> {
    const film = sharp(this.#frames, { join: { animated: true } });
    const options = { delay: this.#delays, loop: 0, effort: 10, interFrameMaxError: 0 };
    await save(name, await film.gif(options).toBuffer());
  }
}

describe('The animation', () => {
  const workbench = inWindow({
    servers,
    userSettings: plainTyping,
    ready: Object.keys(servers),
  });
  const { chat, dialog, editors, quickInput, tree } = workbench;

  before(() => workbench.page.setViewportSize(size));

  it('an animation of the main jobs', async () => {
    const film = new Film(workbench);
    await film.showPointer();
    await film.frame(1_500);
    await tree.expand('budget', 'Tools');
    await film.frame(1_200);
    await tree.clickRow('Get Budget Data');
    await dialog.expect();
    await film.frame(2_200);
    await dialog.answer('Run');
    const app = await editors.webview('Budget Allocator');
    await workbench.page.waitForTimeout(1_000);
    await film.frame(2_200);
    await app.locator('input[type="range"]').first().press('End');
    await workbench.page.waitForTimeout(500);
    await film.frame(1_800);
    await workbench.leaveApp();
    await chat.open();
    await chat.waitForSuggestions('/mcp.', 'the prompts', ({ length }) => length > 2);
    await film.frame(1_800);
    await chat.send('/everything.completable-prompt');
    await quickInput.expectItem('Sales');
    await film.frame(1_800);
    await quickInput.pick('Sales');
    await quickInput.pick('David');
    await quickInput.expectItem('Send to the Model');
    await editors.webview('promote David');
    await workbench.page.waitForTimeout(500);
    await film.frame(2_200);
    await quickInput.pick('Send to the Model');
    await chat.waitForAnswer('promote David');
    await film.frame(2_500);
    await film.save('jobs.gif');
  });
});
