// What a person waits for in a window of the editor, as its page sees it. All times are milliseconds.
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../report.mjs';

const limitMs = 60_000;
const quickInput = '.quick-input-widget:not([style*="display: none"])';

/** What is measured has a key in the editor, so that one event is the start. */
export const keybindings = [
  { key: 'ctrl+alt+1', command: 'mcpHost.chooseTools' },
  { key: 'ctrl+alt+2', command: 'mcpHost.goToResource' },
];

/** In a window with many servers: from a click in the view to what it shows. */
export async function measureView(page) {
  await page.locator('.activitybar .action-item [aria-label^="MCP"]').first().click();
  const server = '.sidebar .monaco-list-row[aria-level="1"]';
  const twistie = `${server} .monaco-tl-twistie`;
  const lists = 'document.querySelectorAll(\'.sidebar .monaco-list-row[aria-level="2"]\').length';
  await page.locator(twistie).first().waitFor();
  const times = [];
  for (let count = 0; count < 7; count++) {
    await page.locator(twistie).first().click();
    await page.locator(`${server}[aria-expanded="false"]`).first().waitFor();
    const before = await page.evaluate(lists);
    times.push(await timed(page, `${lists} > ${before}`, () => clickOn(page, twistie)));
  }
  const addServer = '.sidebar .action-label[aria-label^="Add Server"]';
  const addServerMs = await timed(page, `${textOf('.quick-input-title')} !== ''`, () =>
    clickOn(page, addServer),
  );
  return { childrenMs: median(times), addServerMs };
}

/** In a window with a server of 2,000 tools and 100,000 resources: from a key to what it shows. */
export async function measureLarge(page) {
  const rows = `document.querySelector('${quickInput} .monaco-list-row') !== null`;
  const isShown = `${textOf('.quick-input-title')}.startsWith('Select Tools') && ${rows}`;
  const shownAfter = [];
  for (let count = 0; count < 5; count++) {
    shownAfter.push(await timed(page, isShown, () => page.keyboard.press('Control+Alt+1')));
    await page.keyboard.press('Escape');
    await page.locator(quickInput).waitFor({ state: 'hidden' });
  }
  await page.keyboard.press('Control+Alt+2');
  await page.locator(`${quickInput} .monaco-list-row`).first().waitFor();
  const times = [];
  for (const key of '4201') {
    // It says how many match, as long as they are more than it shows: each of these keys changes that.
    const said = textOf('.quick-input-message');
    const before = await page.evaluate(said);
    const isFound = `${said} !== ${JSON.stringify(before)}`;
    times.push(await timed(page, isFound, () => page.keyboard.press(key)));
  }
  await page.keyboard.press('Escape');
  return { selectToolsMs: median(shownAfter), findMs: median(times) };
}

/** @returns when the chat of a new window offers the prompt of a server after `/mcp.`, as `performance.now()` */
export async function measurePrompt(page) {
  const start = performance.now();
  const input = page.locator('.interactive-input-part .monaco-editor').first();
  const offered = page
    .locator('.suggest-widget.visible .monaco-list-row .label-name')
    .filter({ hasText: /^\/mcp\.bench\d+\.greet$/u });
  while (performance.now() - start < limitMs) {
    if (!(await input.isVisible())) {
      await page.keyboard.press('Control+Alt+KeyI');
      await input.waitFor({ timeout: 1_000 }).catch(() => undefined);
      continue;
    }
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.type('/mcp.');
    // Suggestions do not follow what comes later.
    for (let look = 0; look < 10; look++) {
      if ((await offered.count()) > 0) return performance.now();
      await delay(20);
    }
  }
  throw new Error('Waited in vain for the prompt of a server in the chat');
}

/** From an event of the person until an expression is true, by the frames of the page. */
async function timed(page, isShown, act) {
  await page.evaluate(
    `void (window.benchTime = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('Waited in vain')), ${limitMs});
      const begin = ({ key }) => {
        if (key === 'Control' || key === 'Alt') return;
        const start = performance.now();
        const look = () =>
          ${isShown} ? resolve(performance.now() - start) : requestAnimationFrame(look);
        for (const event of events) removeEventListener(event, begin, true);
        look();
      };
      const events = ['keydown', 'click'];
      for (const event of events) addEventListener(event, begin, true);
    }))`,
  );
  await act();
  return page.evaluate('window.benchTime');
}

/** By the page: the pointer would move first, and show what the row is. */
function clickOn(page, selector) {
  return page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
}

function textOf(part) {
  return `(document.querySelector('${quickInput} ${part}')?.textContent ?? '')`;
}
