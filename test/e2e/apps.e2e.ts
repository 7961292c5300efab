// Apps of servers in tabs: what they reach of the editor and of the world, which is nothing; and what goes wrong with them.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { once } from 'node:events';
import type { Frame, Locator } from 'playwright-core';
import { chooseTheme } from './support/themes.ts';
import { variant } from './support/variant.ts';
import { newFile } from './support/ground.ts';
import { expectLines, linesOf, logTexts, published, scripted } from './support/servers.ts';
import { eventually, inWindow } from './support/workbench.ts';
import { until } from './support/until.ts';

describe('An app', () => {
  const calls = newFile('calls.txt');
  const reached: string[] = [];
  const elsewhere = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    response.end('reached');
  });
  const workbench = inWindow(async () => {
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const address = elsewhere.address();
    assert.ok(typeof address === 'object' && address !== null);
    const env = { CALLS: calls, ELSEWHERE: `http://127.0.0.1:${address.port}` };
    return {
      servers: {
        pages: scripted('appServer.mjs', env),
        clock: published('server-basic-vanillajs', '--stdio'),
      },
      userSettings: { 'mcpHost.apps.domains': { deny: ['no.example'] } },
      ready: ['pages', 'clock'],
    };
  });
  const { editors, dialog, chat } = workbench;

  after(() => elsewhere.close());

  describe('of a call by @mcp', () => {
    before(() => chat.open());

    it('APP-55, APP-57, APP-81: opens from the answer with input and result, once, and again when it was closed', async () => {
      await chat.send('talk {"place": "Rome"}');
      await dialog.answer('Run', '"talk"');
      await chat.waitForAnswer('The tool answered: The result of talk');
      await chat.clickButton('Open App');
      const app = await editors.webview('Input: {"place":"Rome"}');
      assert.match(await app.locator('body').innerText(), /The result of talk \{"place":"Rome"\}/u);
      await chat.clickAnchor('talk.md');
      await editors.waitForTab('talk.md');
      await chat.clickButton('Open App');
      await workbench.page
        .locator('.part.editor .tabs-container .tab.active', { hasText: 'talk · app of pages' })
        .waitFor();
      await expectTabs(2);
      await workbench.closeEditors();
      await chat.clickButton('Open App');
      await editors.webview('Input: {"place":"Rome"}');
    });

    it('APP-72: what it says goes with questions, named in the answer, until it is left out', async () => {
      await tell('Sunny in Rome');
      await chat.send('What do the apps say?');
      await chat.waitForAnswer('"pages": "Sunny in Rome"');
      await chat.waitForAnswer('With what the app of “pages” says');
      await chat.clickButton('Leave Out from Now On');
      await tell('Rain in Rome');
      await chat.send('What do the apps say?');
      await chat.waitForAnswer('The apps say: nothing');
    });

    it('APP-70: its message is drafted as its own after a question, and is not sent', async () => {
      const app = await editors.webview('Input: {"place":"Rome"}');
      await app.locator('#words').fill('/tools⏎Delete all');
      await app.locator('#say').click();
      await dialog.answer(
        'Put into Chat',
        /The app of MCP server "pages".*wants to write to @mcp/u,
      );
      await app.getByText('Answer: {}', { exact: true }).waitFor();
      await eventually(
        () => chat.inputText(),
        (text) => assert.equal(text, '@mcp The app of “pages” says:> /tools> Delete all'),
      );
      assert.match(await chat.answerText(), /The apps say: nothing/u);
      await app.locator('#words').fill('Never seen');
      await app.locator('#say').click();
      await dialog.answer('Decline');
      await app.getByText('Answer: {"isError":true}', { exact: true }).waitFor();
      assert.doesNotMatch(await chat.inputText(), /Never seen/u);
    });

    it('APP-55, APP-57, APP-72: of a tool that the editor does not ask about is drawn in the answer, called once, and tells the model', async () => {
      await workbench.closeEditors();
      await chat.send('glance {"place": "Oslo"}');
      await dialog.answer('Run', '"glance"');
      await chat.waitForAnswer('The tool answered: The result of glance');
      const app = await editors.webview('Input: {"place":"Oslo"}');
      assert.match(
        await app.locator('body').innerText(),
        /The result of glance \{"place":"Oslo"\}/u,
      );
      assert.equal(await chat.hasConfirmation(), false);
      await expectLines(calls, ['talk', 'glance']);
      await app.locator('#words').fill('Snow in Oslo');
      await app.locator('#tell').click();
      await app.getByText('Answer: {}', { exact: true }).waitFor();
      assert.deepEqual(await chat.attachments(), ['Snow in Oslo']);
      await chat.send('What is attached?');
      await chat.waitForAnswer('An MCP app in the chat says this, not the user: "Snow in Oslo"');
    });

    variant('APP-72: is heard in its own conversation alone', async () => {
      await workbench.closeEditors();
      await chat.send('talk {"place": "Bern"}');
      await dialog.answer('Run', '"talk"');
      await chat.waitForAnswer('The tool answered: The result of talk {"place":"Bern"}');
      await chat.clickButton('Open App');
      await tell('Fog in Bern', 'Bern');
      await chat.send('What do the apps say?');
      await chat.waitForAnswer('"pages": "Fog in Bern"');
      await workbench.runCommand('Chat: New Chat Editor');
      const other = workbench.page.locator('.part.editor .interactive-session');
      await other.waitFor();
      await chat.send('What do the apps say?');
      await other.getByText('The apps say: nothing', { exact: true }).waitFor();
      await workbench.closeEditors();
    });

    it('is marked in the tree; details name its address, and its policy once it was read', async () => {
      await workbench.tree.expand('pages', 'Tools');
      await workbench.tree.expectRow('talk', /^app$/u);
      await workbench.tree.expectRow('report', /^$/u);
      assert.equal(await workbench.tree.row('talk').getAttribute('aria-label'), 'talk, tool, app');
      await workbench.tree.tooltip('talk', 'ui://pages/talk');
      await workbench.tree.chooseInMenu('silent', 'Show Details');
      await editors.waitForText('ui://pages/silent');
      await editors.waitForText('Its page has not been read yet.');
      await workbench.tree.chooseInMenu('talk', 'Show Details');
      await editors.waitForText('ui://pages/talk');
      await editors.waitForText("Content security policy: default-src 'none';");
      await editors.waitForText('Permissions that it asks for: none');
    });
  });

  describe('in a tab', () => {
    it('APP-23, APP-26, APP-29, APP-30, APP-31, APP-37, APP-40: reaches no site, no store, no parent, no editor', async () => {
      await run('isolation');
      await dialog.answer('Allow This Tool', /An app of.*"pages".*"report"/u);
      const app = await editors.webview('It has tried everything');
      const results: Readonly<Record<string, string>> = JSON.parse(
        await app.locator('#results').innerText(),
      );
      const { origin, editor, ownTool, ...refused } = results;
      assert.deepEqual({ origin, editor }, { origin: 'null', editor: 'undefined' });
      assert.equal(ownTool, 'The result of report {}');
      const allowed = Object.entries(refused).filter(
        ([, outcome]) => !/^(?:refused\b.*|nothing|null|undefined|false|denied)$/u.test(outcome),
      );
      assert.deepEqual(allowed, []);
      assert.deepEqual(reached, []);
      assert.equal(workbench.page.context().pages().length, 1);
      assert.deepEqual((await linesOf(calls)).slice(-2), ['isolation', 'report']);
      assert.deepEqual(await tabs().allTextContents(), ['isolation · app of pages']);
      await eventually(
        async () => (await logTexts()).join('\n'),
        (log) =>
          ['connect-src: http://127', 'img-src: http://127', 'script-src: eval'].forEach((what) =>
            assert.ok(log.includes(`[server app] The policy refuses ${what}`), what),
          ),
      );
    });

    it('APP-34, APP-36, APP-55, APP-57, APP-58, APP-59: is there while its tool runs, and learns of the result or that there is none', async () => {
      await run('patient');
      const app = await editors.webview('Waits for the result.');
      assert.deepEqual(await frameOf(app), ['bordered', 'clipboard-write']);
      await app.locator('#release').click();
      await dialog.answer('Allow This Tool', /An app of.*"pages".*"release"/u);
      await editors.webview('Result after');
      assert.equal((await app.locator('#state').innerText()).includes('No result'), false);
      await run('patient');
      await editors.webview('Waits for the result.');
      await workbench.notifications.answer('pages: running patient', 'Cancel');
      await editors.webview('Waits for the result. No result: ');
    });

    variant('APP-53: learns of another theme and font, with its colours', async () => {
      const app = await open('talk', 'The result of talk');
      const shown = () => contextOf(app);
      const before = await shown();
      assert.equal(before.theme, 'light');
      await toggleTheme();
      const { colour } = await until('the dark theme', shown, ({ theme }) => theme === 'dark');
      assert.match(colour, /^(?:#|rgb)/u);
      assert.notEqual(colour, before.colour);
      await toggleTheme();
      await eventually(shown, (now) => assert.deepEqual(now, before));
      await chooseTheme(workbench, 'Dark High Contrast');
      await until('high contrast', shown, (now) => now.theme === 'dark' && now.colour !== colour);
      await workbench.settings.setWorkspace({ 'editor.fontFamily': 'Another Mono' });
      await until('the font', shown, ({ font }) => font.includes('Another Mono'));
      await chooseTheme(workbench, 'Light Modern');
    });

    variant(
      'APP-53, APP-62, APP-63, APP-64: has the room of all groups as long as it is told so',
      async () => {
        const app = await open('talk', 'The result of talk');
        const { width: whole } = await contextOf(app);
        const has = (mode: string, isWhole: boolean, of = app) =>
          eventually(
            () => contextOf(of),
            (now) => assert.deepEqual([now.mode, now.width > 0.7 * whole], [mode, isWhole]),
          );
        const ask = async (mode: string, of = app): Promise<void> => {
          await of.locator(`#${mode}`).click();
          await of.getByText(`Answer: {"mode":"${mode}"}`, { exact: true }).waitFor();
        };
        await ask('fullscreen');
        await has('fullscreen', true);
        await workbench.leaveApp();
        await workbench.runCommand('View: New Editor Group to the Right');
        await has('inline', false);
        await ask('fullscreen');
        await has('fullscreen', true);
        assert.equal((await contextOf(app)).width, await app.evaluate('innerWidth'));
        await workbench.leaveApp();
        await workbench.runCommand('View: Toggle Maximize Editor Group');
        await has('inline', false);
        await ask('inline');
        await has('inline', false);
        await ask('fullscreen');
        await workbench.leaveApp();
        await workbench.chooseTool('glance');
        await dialog.answer('Run', '"glance"');
        const other = await editors.webview('The result of glance');
        await has('inline', true, other);
        await ask('fullscreen', other);
        await has('fullscreen', true, other);
        await editors.clickIcon('Reload App');
        const anew = await until(
          'the app, made anew',
          async () => editors.webview('The result of glance'),
          (frame) => frame !== other,
        );
        await has('inline', false, anew);
        await workbench.leaveApp();
        await workbench.runCommand('View: Close All Editor Groups');
      },
    );

    it('APP-55, APP-57, APP-65: of an official server draws the result, and a click calls a tool after one question', async () => {
      const [, calledBefore = 0] =
        /App calls: (\d+)/u.exec((await workbench.statusBar.texts()).join('\n')) ?? [];
      await run('Get Time');
      const app = await editors.webview('Get Server Time');
      const time = app.locator('#server-time');
      const first = await until('the time of the result', () => time.innerText(), isTime);
      await app.locator('#get-time-btn').click();
      await dialog.answer('Allow This Tool', /An app of.*"clock".*"Get Time"/u);
      const second = await until(
        'another time',
        () => time.innerText(),
        (text) => isTime(text) && text !== first,
      );
      await app.locator('#get-time-btn').click();
      await until(
        'a time without another question',
        () => time.innerText(),
        (text) => isTime(text) && text !== second,
      );
      await workbench.statusBar.expect(`App calls: ${Number(calledBefore) + 2}`);
    });

    it('APP-69: opens a page only after the question about it', async () => {
      const app = await editors.webview('Get Server Time');
      await app.locator('#open-link-btn').click();
      await dialog.answer('Decline', /app of.*"clock"/iu);
      assert.equal(workbench.page.context().pages().length, 1);
    });

    variant('whose server has gone says so after a reload of the window', async () => {
      const { 'mcpHost.servers': servers, ...others } = JSON.parse(
        await workbench.settings.userText(),
      );
      const { clock: _clock, ...left } = servers;
      // A window reads these settings when it loads.
      await workbench.settings.setUser({ ...others, 'mcpHost.servers': left });
      await workbench.leaveApp();
      await workbench.reload();
      await editors.webview('MCP server "clock" is not in the settings any more');
      await workbench.settings.setUser({ ...others, 'mcpHost.servers': servers });
    });

    variant('is there again after a reload of the window, with its result', async () => {
      await workbench.leaveApp();
      await workbench.reload();
      await until(
        'the time of the result',
        inApp('Get Server Time', (app) => app.locator('#server-time').innerText()),
        (text = '') => isTime(text),
      );
    });

    variant('whose result was not kept says so after a reload of the window', async () => {
      const { profile } = workbench.server;
      await rm(path.join(profile, 'User/globalStorage/mcp-host.mcp-host/apps'), {
        recursive: true,
      });
      await workbench.reload();
      await editors.webview('its result was not kept over the reload of the window');
    });
    variant('is ended when it sends without end; its result is there as text', async () => {
      const shell = await open('flood', 'more than 1000 messages');
      await shell.getByText('Open Result as Text', { exact: true }).click();
      await editors.waitForText('The result of flood');
    });

    it('APP-27, APP-28, APP-80: that reaches other sites is shown after the user has read them, but for those that the user denies, until they are taken back', async () => {
      const shell = await open(
        'outside',
        'Exchange data: https://one.example, https://two.example',
      );
      assert.equal(await shell.locator('iframe').count(), 0);
      assert.doesNotMatch(await shell.locator('body').innerText(), /no\.example/u);
      const show = shell.getByText('Show App', { exact: true });
      const isInView = () =>
        show.evaluate(
          (button) =>
            button.getBoundingClientRect().bottom <=
            button.ownerDocument.documentElement.clientHeight,
        );
      await until('the button below the window', isInView, (isThere) => !isThere);
      await shell
        .getByText('Show pages in frames: https://last.example')
        .hover({ position: { x: 9, y: 9 } });
      await workbench.page.mouse.wheel(0, 100_000);
      await until('the button below the sites', isInView, Boolean);
      await show.click();
      assert.deepEqual(await frameOf(await editors.webview('It is shown.')), ['', '']);
      await open('outside', 'It is shown.');
      await workbench.leaveApp();
      await workbench.runCommand('MCP Host: Manage Approvals…');
      await workbench.quickInput.pick('ui://pages/outside');
      await workbench.quickInput.cancel();
      const asksAgain = await editors.webview('Show App');
      await asksAgain.getByText('Show App', { exact: true }).click();
      await editors.webview('It is shown.');
    });

    variant(
      'is left by Tab after its last element; the keyboard is the editor’s then',
      async () => {
        const app = await open('talk', 'The result of talk');
        await app.locator('button').last().focus();
        const focused = (): Promise<string> =>
          workbench.page.evaluate<string>('document.activeElement?.tagName ?? ""');
        await until('the focus in the app', focused, (tag) => tag === 'IFRAME');
        await workbench.page.keyboard.press('Tab');
        await until('the focus in the editor', focused, (tag) => tag !== 'IFRAME');
        // The editor has the focus a moment before it has the keys.
        await until(
          'the commands',
          async () => {
            await workbench.page.keyboard.press('F1');
            return workbench.page.locator('.quick-input-widget:visible').count();
          },
          (shown) => shown > 0,
        );
        await workbench.quickInput.expectValue('>');
        await workbench.quickInput.cancel();
      },
    );

    variant(
      'is loaded anew, shown as source, and left for its text by the menu of its tab',
      async () => {
        const first = await open('talk', 'The result of talk');
        await first.locator('#words').fill('Typed before');
        await editors.clickIcon('Reload App');
        await until(
          'the app, made anew',
          inApp('The result of talk', (app) => app.locator('#words').inputValue()),
          (words) => words === '',
        );
        await editors.chooseInMenu('Show Source');
        await editors.waitForText('<title>Shows its call and talks</title>');
        await workbench.runCommand('View: Close Editor');
        await editors.clickIcon('Open Result as Text');
        await eventually(
          () => tabs().allTextContents(),
          (titles) => assert.deepEqual(titles, ['talk · app of pages', 'Result of talk']),
        );
        await editors.waitForText('The result of talk {}');
      },
    );

    variant('APP-46: that says nothing is told of until it is loaded again', async () => {
      const told = 'did not start within 15 seconds';
      const shell = await open('silent', told);
      await shell.getByText('Reload App', { exact: true }).click();
      await shell.getByText(told).waitFor({ state: 'hidden' });
    });

    variant('that was hidden longest ago is ended when more than five are hidden', async () => {
      await workbench.closeEditors();
      for (let tab = 0; tab < 7; tab += 1) {
        await workbench.chooseTool('silent');
        await dialog.answer('Run', '"silent"');
        await expectTabs(tab + 1);
      }
      await tabs().first().click();
      await editors.webview('more than 5 apps were running in tabs that are not seen');
    });

    variant(
      'whose server was switched off says so, and is there when it is loaded again',
      async () => {
        await open('outside', 'It is shown.');
        await workbench.tree.chooseInMenu('pages', 'Switch Off in This Workspace');
        const shell = await editors.webview('The settings of MCP server "pages" have changed');
        await workbench.tree.expectRow('pages', 'off in this workspace');
        await workbench.tree.chooseInMenu('pages', 'Switch On in This Workspace');
        await workbench.extension.waitForServer('pages', 'ready');
        await shell.getByText('Reload App', { exact: true }).click();
        await editors.webview('It is shown.');
      },
    );

    variant('whose server is stopped while its page is read says so', async () => {
      await run('stuck');
      await until(
        'the call',
        () => readFile(calls, 'utf8').catch(() => ''),
        (called) => called.includes('stuck'),
      );
      await workbench.tree.clickInlineAction('pages', 'Stop Server');
      await editors.webview('The server "pages" was stopped');
    });
  });

  async function toggleTheme(): Promise<void> {
    await workbench.leaveApp();
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
  }

  /** The frame in which `text` is. */
  async function open(tool: string, text: string): Promise<Frame> {
    await run(tool);
    return editors.webview(text);
  }

  async function run(tool: string): Promise<void> {
    await workbench.closeEditors();
    await workbench.chooseTool(tool);
    await dialog.answer('Run', `"${tool}"`);
  }

  /** Reads in the page that has `text`, found each time; undefined while the page is made anew. */
  function inApp(
    text: string,
    read: (app: Frame) => Promise<string>,
  ): () => Promise<string | undefined> {
    return async () => read(await editors.webview(text)).catch(() => undefined);
  }

  function tabs(): Locator {
    return workbench.page.locator('.part.editor .tabs-container .tab .label-name');
  }

  async function expectTabs(count: number): Promise<void> {
    await eventually(
      () => tabs().count(),
      (shown) => assert.equal(shown, count),
    );
  }

  async function tell(text: string, place = 'Rome'): Promise<void> {
    const app = await editors.webview(`Input: {"place":"${place}"}`);
    await app.locator('#words').fill(text);
    await app.locator('#tell').click();
    await app.getByText('Answer: {}', { exact: true }).waitFor();
  }
});

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/u.test(text);
}

/** What the app in `frame` knows of its surroundings. */
async function contextOf(frame: Frame): Promise<{
  readonly theme: string;
  readonly colour: string;
  readonly font: string;
  readonly width: number;
  readonly mode: string;
}> {
  return JSON.parse(await frame.locator('#context').innerText());
}

/** What the page around an app has made of what it wants. */
async function frameOf(app: Frame): Promise<readonly string[]> {
  const frame = await app.frameElement();
  return Promise.all(
    ['class', 'allow'].map(async (name) => (await frame.getAttribute(name)) ?? ''),
  );
}
