// Sampling as a user sees it: the request before the model gets it, the answer before the server gets it, and every way to
// say no. Each group has a server of its own, with budgets of its own.
import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dialog } from './support/modalDialog.ts';
import { variant } from './support/variant.ts';
import { ground } from './support/ground.ts';
import { takePicture } from './support/pictures.ts';
import { scripted } from './support/servers.ts';
import { inWindow, until, type Workbench } from './support/workbench.ts';

interface Reply {
  readonly result?: {
    readonly content: unknown;
    readonly stopReason?: string;
    readonly model: string;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

type Json = Readonly<Record<string, unknown>>;

const text = (words: string) => ({ type: 'text', text: words });
const says = (words: string, more: Json = {}) => ({
  messages: [{ role: 'user', content: text(words) }],
  maxTokens: 100,
  ...more,
});
const full = says('What is the capital of France?', {
  systemPrompt: 'You are a careful geographer.',
  temperature: 0.3,
  stopSequences: ['END', '\n\n'],
  includeContext: 'allServers',
  modelPreferences: { hints: [{ name: 'demo' }] },
});
/** A blue square on white, 64 by 64 pixels. */
const square =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAWUlEQVR42u3aQQ0AMAgEQfxgsS4riKoggXQua2D+F7V8AQAAAADQAshzRwUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0Afw2AIAAAD4AvAARWc2/wq8F4EAAAAASUVORK5CYII=';
const userRejected = -1;
const request = 'wants to use a language model';
const reply = 'Send this answer';

/** Where the server of this name is told what to sample. */
const folderOf = (server: string) => path.join(ground().folder, `sampling-${server}`);

/** Each samples what it is told to. */
const samplers = {
  sampler: scripted('sampler.mjs', { FOLDER: folderOf('sampler') }),
  edited: scripted('sampler.mjs', { FOLDER: folderOf('edited') }),
  longer: scripted('sampler.mjs', { FOLDER: folderOf('longer'), REVISION: '2025-06-18' }),
};

class Samples {
  readonly folder: string;
  readonly workbench: Workbench;
  #asked = 0;

  constructor(workbench: Workbench, server: keyof typeof samplers) {
    this.workbench = workbench;
    this.folder = folderOf(server);
  }

  /** Has the server sample. @returns the name to ask for the reply */
  async sample(params: Json): Promise<string> {
    this.#asked += 1;
    const name = `n${this.#asked}`;
    await writeFile(path.join(this.folder, `${name}.new`), JSON.stringify(params));
    await rename(path.join(this.folder, `${name}.new`), path.join(this.folder, `${name}.ask.json`));
    return name;
  }

  async withdraw(name: string): Promise<void> {
    await writeFile(path.join(this.folder, `${name}.cancel`), '');
    await until(
      'the withdrawal to be sent',
      () => this.#read(`${name}.cancelled.json`),
      (sent) => sent !== undefined,
    );
  }

  async replyTo(name: string): Promise<Reply> {
    const found = await until(
      `the reply to ${name}`,
      () => this.#read(`${name}.reply.json`),
      (value) => value !== undefined,
    );
    return found ?? {};
  }

  async #read(file: string): Promise<Reply | undefined> {
    try {
      const value: Reply = JSON.parse(await readFile(path.join(this.folder, file), 'utf8'));
      return value;
    } catch {
      return undefined;
    }
  }

  approval(): Promise<Dialog> {
    return this.workbench.dialog.expect(request);
  }

  decide(button: string): Promise<void> {
    return this.workbench.dialog.answer(button, request);
  }

  answerShown(): Promise<Dialog> {
    return this.workbench.dialog.expect(reply);
  }

  answer(button: string): Promise<void> {
    return this.workbench.dialog.answer(button, reply);
  }

  /** Allows one request and sends its answer. */
  async letThrough(): Promise<void> {
    await this.decide('Allow Once');
    await this.answer('Send');
  }

  /** From the modal to the document that can be changed. */
  async edit(): Promise<void> {
    await this.workbench.dialog.answer('Review or Edit…');
    await this.workbench.quickInput.pick('Edit…');
    await this.workbench.editors.waitForText('"maxTokens"');
  }

  /** Puts `change` into the JSON object in the editor. */
  async changeRequest(change: Json): Promise<void> {
    // An editor that is still being drawn has some lines of it.
    const whole = await until(
      'the whole request',
      async () => parsed(await this.workbench.editors.text()),
      (json) => json !== undefined,
    );
    await this.workbench.editors.fill(JSON.stringify({ ...whole, ...change }));
  }
}

function parsed(shown: string): Json | undefined {
  try {
    const json: Json = JSON.parse(shown);
    return json;
  } catch {
    return undefined;
  }
}

describe('Sampling', () => {
  const workbench = inWindow({
    servers: samplers,
    userSettings: { 'mcpHost.trustedServers': ['longer'] },
    ready: Object.keys(samplers),
  });
  const { editors, dialog, quickInput, notifications } = workbench;

  describe('the request and the answer', () => {
    const samples = new Samples(workbench, 'sampler');

    it('SAMP-02, SAMP-05, HOST-06: shows who asks, the model, and all that would be sent', async () => {
      const name = await samples.sample(full);
      const { message, detail, buttons } = await samples.approval();
      assert.match(message, /MCP server "sampler" \(node\)/);
      for (const shown of [
        'Demo Model (scripted)',
        'at most 100 tokens',
        'temperature 0.3',
        '"END"',
        'asks for the context of all servers; none is added',
        'You are a careful geographer.',
        'User:\n│ What is the capital of France?',
      ]) {
        assert.ok(detail.includes(shown), `${shown} is not in:\n${detail}`);
      }
      // The editor puts them in an order of its own.
      assert.deepEqual(buttons.toSorted(), [
        'Allow Once',
        'Allow and Remember…',
        'Deny',
        'Later',
        'Review or Edit…',
      ]);
      await dialog.answer('Deny');
      const { error } = await samples.replyTo(name);
      assert.deepEqual(error, { code: userRejected, message: 'User rejected sampling request' });
    });

    it('SAMP-04, SAMP-13: the answer is shown before the server gets it', async () => {
      const name = await samples.sample(full);
      await samples.decide('Allow Once');
      const { message, detail, buttons } = await samples.answerShown();
      assert.match(message, /MCP server "sampler"/);
      assert.match(detail, /You said: What is the capital of France\?/);
      assert.deepEqual(buttons.toSorted(), ['Discard', 'Later', 'Review or Edit…', 'Send']);
      await dialog.answer('Send');
      assert.deepEqual((await samples.replyTo(name)).result, {
        role: 'assistant',
        content: text('You said: What is the capital of France?'),
        model: 'scripted',
        stopReason: 'endTurn',
      });
    });
  });

  describe('edited and withdrawn', () => {
    const samples = new Samples(workbench, 'edited');

    variant(
      'SAMP-03: Review shows the whole request with its pictures, Edit changes what is sent',
      async () => {
        const picture = { type: 'image', data: square, mimeType: 'image/png' };
        const messages = [...full.messages, { role: 'user', content: picture }];
        const name = await samples.sample({ ...full, messages });
        const { detail: asked } = await dialog.expect(request);
        assert.match(asked, /^⚠ It has pictures, which not every model can see$/m);
        await samples.decide('Review or Edit…');
        await quickInput.expectItem('Edit…');
        const whole = await editors.waitForText('Sampling request');
        const review = await editors.webview('Sampling request');
        const shown = review.locator('img');
        assert.equal((await shown.boundingBox())?.width, 64);
        await takePicture(workbench.page);
        assert.match(whole, /includeContext: allServers/);
        assert.match(whole, /What is the capital of France\?/);
        await quickInput.pick('Edit…');
        await editors.waitForText('"maxTokens": 100');
        await notifications.waitFor('Change what the model gets from "edited"');
        await samples.changeRequest({ maxTokens: 'many' });
        await editors.clickAction('Use Edited Text');
        await notifications.waitFor('"maxTokens" is required and must be a number');
        await samples.changeRequest({
          maxTokens: 50,
          messages: [{ role: 'user', content: text('What is the capital of Peru?') }],
        });
        await editors.clickAction('Use Edited Text');
        const { detail } = await samples.approval();
        assert.match(detail, /Edited by you/);
        assert.match(detail, /at most 50 tokens/);
        assert.match(detail, /capital of Peru/);
        await editors.expect([]);
        await samples.letThrough();
        const { result } = await samples.replyTo(name);
        assert.deepEqual(result?.content, text('You said: What is the capital of Peru?'));
      },
    );

    variant('SAMP-04: the answer that the server gets is the one that was edited', async () => {
      const name = await samples.sample(says('My name is Ada'));
      await samples.decide('Allow Once');
      await samples.answer('Review or Edit…');
      await editors.waitForText('You said: My name is Ada');
      await quickInput.pick('Edit…');
      await editors.fill('You said nothing');
      await editors.clickAction('Use Edited Text');
      const { detail } = await samples.answerShown();
      assert.match(detail, /Edited by you/);
      await dialog.answer('Send');
      assert.deepEqual((await samples.replyTo(name)).result?.content, text('You said nothing'));
    });

    it('CANC-03: a yes after the server withdrew sends and remembers nothing, and the user is told', async () => {
      const late = await samples.sample(says('Too late'));
      await samples.approval();
      await samples.withdraw(late);
      await dialog.answer('Allow and Remember…');
      await notifications.waitFor('withdrew its request');
      const next = await samples.sample(says('Next'));
      await samples.decide('Deny');
      await samples.replyTo(next);
    });

    variant(
      'CANC-03: documents and picks of what the server withdrew close by themselves',
      async () => {
        const edited = await samples.sample(says('In the editor'));
        await samples.approval();
        await samples.edit();
        await samples.withdraw(edited);
        await editors.expect([]);
        const reviewed = await samples.sample(says('In the review'));
        await samples.decide('Review or Edit…');
        await quickInput.waitFor();
        await samples.withdraw(reviewed);
        await quickInput.waitForEnd();
        await editors.expect([]);
        assert.equal(await dialog.isOpen(), false);
      },
    );
  });

  describe('allowed for longer, and limited', () => {
    const samples = new Samples(workbench, 'longer');

    it('SAMP-05: always for this server: asked no more, but the answer is still shown', async () => {
      const first = await samples.sample(says('one'));
      await samples.decide('Allow and Remember…');
      await quickInput.pick('This Workspace');
      await samples.answer('Send');
      await samples.replyTo(first);
      const second = await samples.sample(says('two'));
      await samples.answer('Send');
      assert.deepEqual((await samples.replyTo(second)).result?.content, text('You said: two'));
    });

    variant(
      'SAMP-04, SAMP-05: the review can be switched off for a trusted server; all of it can be revoked',
      async () => {
        await workbench.runCommand('MCP Host: Manage Sampling…');
        await quickInput.pick('longer');
        const unseen = 'Send Answers Without Showing Them to Me';
        await quickInput.expectItem(unseen);
        await quickInput.pick(unseen);
        await quickInput.expectItem('Show Me Answers Before They Are Sent');
        await closeQuickInput();
        const through = await samples.sample(says('three'));
        assert.deepEqual((await samples.replyTo(through)).result?.content, text('You said: three'));
        assert.equal(await dialog.isOpen(), false);

        await workbench.runCommand('MCP Host: Manage Sampling…');
        await quickInput.pick('longer');
        await quickInput.pick('Ask Again');
        await quickInput.waitForItems('the actions', (items) => !items.includes('Ask Again'));
        await closeQuickInput();
        const asked = await samples.sample(says('four'));
        const { detail } = await samples.approval();
        assert.match(detail, /answer goes to the server without a review/);
        await dialog.answer('Deny');
        assert.equal((await samples.replyTo(asked)).error?.code, userRejected);
      },
    );

    variant('SAMP-09: the model of a server can be set, and set back', async () => {
      await setModel('Demo Model (scripted)');
      const name = await samples.sample(says('set'));
      const { detail } = await samples.approval();
      assert.match(detail, /Demo Model \(scripted\) \(mcp-host-demo\), your choice/);
      await dialog.answer('Deny');
      await samples.replyTo(name);
      await setModel('Automatic');
    });

    variant('SAMP-09: the model can be changed in the dialog', async () => {
      const name = await samples.sample(says('five'));
      assert.doesNotMatch((await samples.approval()).detail, /your choice/);
      await dialog.answer('Review or Edit…');
      await quickInput.pick('Change Model…');
      await quickInput.pick('Demo Model (scripted)');
      const { detail } = await samples.approval();
      assert.match(detail, /Demo Model \(scripted\) \(mcp-host-demo\), your choice/);
      await dialog.answer('Allow and Remember…');
      await quickInput.pick('This Session');
      assert.equal((await samples.replyTo(name)).result?.model, 'scripted');
    });
  });

  async function setModel(model: string): Promise<void> {
    await workbench.runCommand('MCP Host: Manage Sampling…');
    await quickInput.pick('longer');
    await quickInput.pick('Choose Model…');
    await quickInput.expectItem('Automatic');
    await quickInput.pick(model);
    await quickInput.expectItem('Choose Model…');
    await closeQuickInput();
  }

  /** Goes back through the lists that are open. */
  async function closeQuickInput(): Promise<void> {
    await until(
      'no list',
      async () => {
        const lists = workbench.page.locator('.quick-input-widget:visible');
        if ((await lists.count()) > 0) await quickInput.cancel();
        return lists.count();
      },
      (count) => count === 0,
    );
  }
});
