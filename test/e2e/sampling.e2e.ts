// Sampling as a user sees it: the request before the model gets it, the answer before the server gets it, and every way to
// say no. Each group has a server of its own, with budgets of its own.
import assert from 'node:assert/strict';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ground } from './support/ground.ts';
import type { Dialog } from './support/modalDialog.ts';
import { published, scripted } from './support/servers.ts';
import { variant } from './support/variant.ts';
import { openWorkbench, until } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

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
const says = (words: string, more: Json = {}): Json => ({
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
const userRejected = -1;
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** What the client told a server that it can do about sampling. */
async function declared(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(path.join(folder, 'capabilities.json'), 'utf8')).sampling;
}

/** Where the server of this name is told what to sample. */
const folderOf = (server: string) => path.join(ground().folder, `sampling-${server}`);

/** Each samples what it is told to. */
const samplers = {
  sampler: scripted('sampler.mjs', { FOLDER: folderOf('sampler') }),
  silenced: { ...scripted('sampler.mjs', { FOLDER: folderOf('silenced') }), sampling: false },
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
    const reply = await until(
      `the reply to ${name}`,
      () => this.#read(`${name}.reply.json`),
      (value) => value !== undefined,
    );
    return reply ?? {};
  }

  async #read(file: string): Promise<Reply | undefined> {
    try {
      const value: Reply = JSON.parse(await readFile(path.join(this.folder, file), 'utf8'));
      return value;
    } catch {
      return undefined;
    }
  }

  /** The question before the model, which is answered if a button is given. */
  approval(button?: string): Promise<Dialog> {
    return this.#question('wants to use a language model', button);
  }

  /** The question before the server, likewise. */
  answerShown(button?: string): Promise<Dialog> {
    return this.#question('Send this answer', button);
  }

  async #question(message: string, button: string | undefined): Promise<Dialog> {
    const dialog = await this.workbench.dialog.expect(message);
    if (button !== undefined) await this.workbench.dialog.answer(button);
    return dialog;
  }

  /** Allows one request and sends its answer. */
  async letThrough(button = 'Allow Once'): Promise<void> {
    await this.approval(button);
    await this.answerShown('Send');
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
    const request = await until(
      'the whole request',
      async () => parsed(await this.workbench.editors.text()),
      (json) => json !== undefined,
    );
    await this.workbench.editors.fill(JSON.stringify({ ...request, ...change }));
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
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': { ...samplers, everything: published('server-everything', 'stdio') },
        'mcpHost.trustedServers': ['longer'],
      },
    });
    for (const server of [...Object.keys(samplers), 'everything']) {
      await workbench.extension.waitForServer(server, 'ready');
    }
  });

  after(() => workbench.close());

  describe('the request and the answer', () => {
    let samples: Samples;

    before(() => {
      samples = new Samples(workbench, 'sampler');
    });

    variant('SAMP-01, CAP-02: a server whose sampling is off is not told of it', async () => {
      assert.deepEqual(await declared(samples.folder), { tools: {} });
      assert.equal(await declared(folderOf('silenced')), undefined);
    });

    it('SAMP-02, SAMP-05, HOST-06: shows who asks, the model, and all that would be sent', async () => {
      const name = await samples.sample(full);
      const { message, detail, buttons } = await samples.approval();
      await workbench.screenshot('sampling-request');
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
        'Allow for This Session',
        'Always for This Server',
        'Change Model…',
        'Deny',
        'Later',
        'Review or Edit…',
      ]);
      await workbench.dialog.answer('Deny');
      const { error } = await samples.replyTo(name);
      assert.deepEqual(error, { code: userRejected, message: 'User rejected sampling request' });
    });

    it('SAMP-04, SAMP-13: the answer is shown before the server gets it', async () => {
      const name = await samples.sample(full);
      await samples.approval('Allow Once');
      const { message, detail, buttons } = await samples.answerShown();
      await workbench.screenshot('sampling-answer');
      assert.match(message, /MCP server "sampler"/);
      assert.match(detail, /You said: What is the capital of France\?/);
      assert.deepEqual(buttons.toSorted(), ['Discard', 'Later', 'Review or Edit…', 'Send']);
      await workbench.dialog.answer('Send');
      assert.deepEqual((await samples.replyTo(name)).result, {
        role: 'assistant',
        content: text('You said: What is the capital of France?'),
        model: 'scripted',
        stopReason: 'endTurn',
      });
    });

    variant(
      'SAMP-04, SAMP-06: an answer that was cut at maxTokens says so, and can be discarded; an image is shown as kind and size',
      async () => {
        const image = { type: 'image', data: onePixel, mimeType: 'image/png' };
        const long = text('one two three four five six seven eight nine ten');
        const messages = [{ role: 'user', content: [image, long] }];
        const name = await samples.sample({ messages, maxTokens: 4 });
        const { detail } = await samples.approval();
        await workbench.screenshot('sampling-image');
        assert.match(detail, /\[image, image\/png, 70 bytes\]/);
        await workbench.dialog.answer('Allow Once');
        const shown = await samples.answerShown();
        await workbench.screenshot('sampling-cut');
        assert.match(shown.detail, /Cut at the token limit/);
        await workbench.dialog.answer('Discard');
        assert.equal((await samples.replyTo(name)).error?.code, userRejected);
      },
    );

    variant(
      'SAMP-16, TRAP-43: a tool that the model calls goes back to the server and is not run',
      async () => {
        const tools = [{ name: 'echo', inputSchema: { type: 'object', properties: {} } }];
        const name = await samples.sample(says('echo {"message": "hi"}', { tools }));
        const { detail } = await samples.approval();
        await workbench.screenshot('sampling-tools');
        assert.match(detail, /Tools: echo \(the model may call them; the server runs them\)/);
        await workbench.dialog.answer('Allow Once');
        const shown = await samples.answerShown();
        await workbench.screenshot('sampling-tool-use');
        assert.match(shown.detail, /Nothing has run here/);
        await workbench.dialog.answer('Send');
        const { result } = await samples.replyTo(name);
        assert.equal(result?.stopReason, 'toolUse');
        assert.deepEqual(result.content, [
          text('Calling echo. '),
          { type: 'tool_use', id: 'call-1', name: 'echo', input: { message: 'hi' } },
        ]);
      },
    );
  });

  describe('edited and withdrawn', () => {
    let samples: Samples;

    before(() => {
      samples = new Samples(workbench, 'edited');
    });

    it('SAMP-03: Review shows the whole request as a document, Edit changes what is sent', async () => {
      const { quickInput } = workbench;
      const name = await samples.sample(full);
      await samples.approval('Review or Edit…');
      await quickInput.waitForItems('what can be done', (items) => items.includes('Edit…'));
      const whole = await workbench.editors.waitForText('Sampling request');
      assert.match(whole, /includeContext: allServers/);
      assert.match(whole, /What is the capital of France\?/);
      await workbench.screenshot('sampling-review');
      await quickInput.pick('Edit…');
      await workbench.editors.waitForText('"maxTokens": 100');
      await workbench.notifications.waitFor('Change what the model gets from "edited"');
      await workbench.screenshot('sampling-edit');
      await samples.changeRequest({ maxTokens: 'many' });
      await workbench.editors.clickAction('Use Edited Text');
      await workbench.notifications.waitFor('"maxTokens" is required and must be a number');
      await workbench.screenshot('sampling-edit-wrong');
      await samples.changeRequest({
        maxTokens: 50,
        messages: [{ role: 'user', content: text('What is the capital of Peru?') }],
      });
      await workbench.editors.clickAction('Use Edited Text');
      const { detail } = await samples.approval();
      await workbench.screenshot('sampling-edited-request');
      assert.match(detail, /Edited by you/);
      assert.match(detail, /at most 50 tokens/);
      assert.match(detail, /capital of Peru/);
      await workbench.editors.expect([]);
      await samples.letThrough();
      const { result } = await samples.replyTo(name);
      assert.deepEqual(result?.content, text('You said: What is the capital of Peru?'));
    });

    variant(
      'SAMP-03, SAMP-22: edits that are given up change nothing; to close the dialog is a no',
      async () => {
        const name = await samples.sample(full);
        await samples.approval();
        await samples.edit();
        await samples.changeRequest({ maxTokens: 7 });
        await workbench.editors.clickAction('Discard Edits');
        const { detail } = await samples.approval();
        assert.match(detail, /at most 100 tokens/);
        assert.doesNotMatch(detail, /Edited/);
        await workbench.dialog.dismiss();
        assert.equal((await samples.replyTo(name)).error?.code, userRejected);
      },
    );

    variant('SAMP-04: the answer that the server gets is the one that was edited', async () => {
      const name = await samples.sample(says('My name is Ada'));
      await samples.approval('Allow Once');
      await samples.answerShown('Review or Edit…');
      await workbench.editors.waitForText('You said: My name is Ada');
      await workbench.quickInput.pick('Edit…');
      await workbench.screenshot('sampling-edit-answer');
      await samples.workbench.editors.fill('You said nothing');
      await workbench.editors.clickAction('Use Edited Text');
      const { detail } = await samples.answerShown();
      await workbench.screenshot('sampling-edited-answer');
      assert.match(detail, /Edited by you/);
      await workbench.dialog.answer('Send');
      assert.deepEqual((await samples.replyTo(name)).result?.content, text('You said nothing'));
    });

    it('CANC-03: a yes after the server withdrew sends and remembers nothing, and the user is told', async () => {
      const late = await samples.sample(says('Too late'));
      await samples.approval();
      await samples.withdraw(late);
      await workbench.dialog.answer('Always for This Server');
      await workbench.notifications.waitFor('withdrew its request');
      await workbench.screenshot('sampling-withdrawn');
      const next = await samples.sample(says('Next'));
      await samples.approval('Deny');
      await samples.replyTo(next);
    });

    variant(
      'CANC-03: documents and picks of what the server withdrew close by themselves',
      async () => {
        const edited = await samples.sample(says('In the editor'));
        await samples.approval();
        await samples.edit();
        await samples.withdraw(edited);
        await workbench.editors.expect([]);
        const reviewed = await samples.sample(says('In the review'));
        await samples.approval('Review or Edit…');
        await workbench.quickInput.waitFor();
        await samples.withdraw(reviewed);
        await workbench.quickInput.waitForEnd();
        await workbench.editors.expect([]);
        assert.equal(await workbench.dialog.isOpen(), false);
      },
    );
  });

  describe('allowed for longer, and limited', () => {
    let samples: Samples;

    before(() => {
      samples = new Samples(workbench, 'longer');
    });

    variant('SAMP-02: the tool of server-everything gets its answer', async () => {
      const { quickInput } = workbench;
      const tool = 'Trigger Sampling Request Tool';
      await workbench.runCommand('MCP Host: Run Tool…');
      await quickInput.expectValue('');
      await quickInput.fill('trigger sampling');
      await quickInput.pick(tool);
      await quickInput.expectTitle(new RegExp(`${tool}: prompt`, 'u'));
      await quickInput.enter('hello');
      await quickInput.expectTitle(new RegExp(`${tool}: maxTokens`, 'u'));
      await quickInput.enter('60');
      await quickInput.expectTitle(/Review/);
      await quickInput.accept();
      await workbench.dialog.answer('Run');
      const { detail } = await samples.approval();
      await workbench.screenshot('sampling-everything');
      assert.match(detail, /You are a helpful test server\./);
      assert.match(detail, /at most 60 tokens, temperature 0\.7/);
      await samples.letThrough();
      const result = await workbench.editors.waitForText('LLM sampling result');
      await workbench.screenshot('sampling-everything-result');
      assert.match(result, /You said: Resource trigger-sampling-request context: hello/);
      await workbench.runCommand('View: Close All Editors');
    });

    it('SAMP-05: always for this server: asked no more, but the answer is still shown', async () => {
      const first = await samples.sample(says('one'));
      await samples.letThrough('Always for This Server');
      await samples.replyTo(first);
      const second = await samples.sample(says('two'));
      await samples.answerShown();
      await workbench.screenshot('sampling-always');
      await workbench.dialog.answer('Send');
      assert.deepEqual((await samples.replyTo(second)).result?.content, text('You said: two'));
    });

    variant(
      'SAMP-04, SAMP-05: the review can be switched off for a trusted server; all of it can be revoked',
      async () => {
        const { quickInput } = workbench;
        await workbench.runCommand('MCP Host: Manage Sampling…');
        await quickInput.waitForItems('the servers', (items) => items.includes('longer'));
        await workbench.screenshot('sampling-manage');
        await quickInput.pick('longer');
        const unseen = 'Send Answers Without Showing Them to Me';
        await quickInput.waitForItems('the actions', (items) => items.includes(unseen));
        await workbench.screenshot('sampling-manage-server');
        await quickInput.pick(unseen);
        await quickInput.waitForItems('the other way', (items) =>
          items.includes('Show Me Answers Before They Are Sent'),
        );
        await closeQuickInput();
        const through = await samples.sample(says('three'));
        assert.deepEqual((await samples.replyTo(through)).result?.content, text('You said: three'));
        assert.equal(await workbench.dialog.isOpen(), false);

        await workbench.runCommand('MCP Host: Manage Sampling…');
        await quickInput.pick('longer');
        await quickInput.pick('Ask Again');
        await quickInput.waitForItems('the actions', (items) => !items.includes('Ask Again'));
        await closeQuickInput();
        const asked = await samples.sample(says('four'));
        const { detail } = await samples.approval();
        await workbench.screenshot('sampling-unreviewed');
        assert.match(detail, /answer goes to the server without a review/);
        await workbench.dialog.answer('Deny');
        assert.equal((await samples.replyTo(asked)).error?.code, userRejected);
      },
    );

    variant('SAMP-09: the model of a server can be set, and set back', async () => {
      const { quickInput } = workbench;
      const setModel = async (model: string) => {
        await workbench.runCommand('MCP Host: Manage Sampling…');
        await quickInput.pick('longer');
        await quickInput.pick('Choose Model…');
        await quickInput.waitForItems('the models', (items) => items.includes('Automatic'));
        await quickInput.pick(model);
        await quickInput.waitForItems('the actions', (items) => items.includes('Choose Model…'));
        await closeQuickInput();
      };
      await setModel('Demo Model (scripted)');
      const name = await samples.sample(says('set'));
      const { detail } = await samples.approval();
      await workbench.screenshot('sampling-model-set');
      assert.match(detail, /Demo Model \(scripted\) \(mcp-host-demo\), your choice/);
      await workbench.dialog.answer('Deny');
      await samples.replyTo(name);
      await setModel('Automatic');
    });

    variant('SAMP-09: the model can be changed in the dialog', async () => {
      const name = await samples.sample(says('five'));
      assert.doesNotMatch((await samples.approval()).detail, /your choice/);
      await workbench.dialog.answer('Change Model…');
      await workbench.quickInput.waitForItems('the models', (items) =>
        items.includes('Demo Model (scripted)'),
      );
      await workbench.screenshot('sampling-models');
      await workbench.quickInput.pick('Demo Model (scripted)');
      const { detail } = await samples.approval();
      assert.match(detail, /Demo Model \(scripted\) \(mcp-host-demo\), your choice/);
      await workbench.dialog.answer('Allow for This Session');
      assert.equal((await samples.replyTo(name)).result?.model, 'scripted');
    });

    variant(
      'SAMP-21, HOST-08: over budget the server gets an error, and the user is told',
      async () => {
        let refused: Reply | undefined;
        for (let n = 0; n < 12 && refused?.error === undefined; n += 1) {
          refused = await samples.replyTo(await samples.sample(says(`quick ${n}`)));
        }
        assert.equal(refused?.error?.code, -32603);
        assert.match(refused.error.message, /at most 10 a minute/);
        await workbench.notifications.waitFor('more than 10 times a minute');
        await workbench.screenshot('sampling-budget');
      },
    );
  });

  /** Goes back through the lists that are open. */
  async function closeQuickInput(): Promise<void> {
    await until(
      'no list',
      async () => {
        const lists = workbench.page.locator('.quick-input-widget:visible');
        if ((await lists.count()) > 0) await workbench.quickInput.cancel();
        return lists.count();
      },
      (count) => count === 0,
    );
  }
});
