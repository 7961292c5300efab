// What servers ask of the user: forms as steps with a review, links with consent, and questions that wait.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { typedSecrets } from '../support/issuedSecrets.ts';
import { variant } from './support/variant.ts';
import { newFile } from './support/ground.ts';
import { expectLast, linesOf, scripted } from './support/servers.ts';
import { eventually, inWindow, patienceMs, until } from './support/workbench.ts';

describe('A server that elicits', () => {
  const answers = newFile('answers.txt');
  const workbench = inWindow({
    servers: { booking: scripted('elicit.mjs', { ANSWERS: answers }) },
    ready: ['booking'],
  });
  const { tree, editors, dialog, quickInput, notifications } = workbench;
  let seen = 0;
  let results = 0;

  before(() => tree.expand('booking', 'Tools'));

  it('ELIC-04, ELIC-09, ELIC-17: asks step by step, and says what is wrong while it is typed', async () => {
    await run('ask');
    await step('Name (1/9)');
    await quickInput.expectTitle(/MCP server "booking" \(node\)/);
    await quickInput.expectMessage(/“Please book your journey.*As it is printed/);
    await quickInput.fill('A');
    const wrong = await message(/Enter at least 2 characters/);
    assert.match(wrong, /Please book your journey/);
    await quickInput.accept();
    await step('Name (1/9)');
    await next('Ada');
    await step('E-mail (2/9)');
    await quickInput.fill('ada@');
    await message(/not an email address/);
    await quickInput.fill('');
    await message(/optional/);
    await quickInput.accept();
    await step('Seats (3/9)');
    await quickInput.fill('1.5');
    await message(/Enter a whole number/);
    await quickInput.fill('9');
    await message(/at most 8/);
  });

  it('ELIC-06: Back goes back, and answers stay', async () => {
    await quickInput.clickButton('Back');
    await step('E-mail (2/9)');
    await quickInput.clickButton('Back');
    await step('Name (1/9)');
    await quickInput.expectValue('Ada');
    await quickInput.accept();
    await step('E-mail (2/9)');
    await quickInput.accept();
    await step('Seats (3/9)');
    await quickInput.expectValue('9');
    await next('2');
  });

  it('ELIC-11, ELIC-13, ELIC-15, ELIC-16: takes defaults, choices, and as many as are allowed', async () => {
    await step('Budget (4/9)');
    await quickInput.expectValue('0');
    await quickInput.accept();
    await step('Window seat (5/9)');
    await quickInput.expectItems(['No answer', 'Yes', 'No']);
    await quickInput.accept();
    await step('Insurance (6/9)');
    await quickInput.accept();
    await step('Meal (7/9)');
    await quickInput.expectItems(['No answer', 'Vegetarian', 'Fish']);
    await quickInput.pick('Fish');
    await step('Extras (8/9)');
    for (const label of ['Bag', 'Wi-Fi', 'Bicycle']) {
      await quickInput.pick(label);
    }
    await message(/at most 2; 3 chosen.*“Please book your journey/);
    await quickInput.accept();
    await step('Extras (8/9)');
    await quickInput.pick('Bag');
    await message(/1 to 2 choices/);
    await quickInput.accept();
  });

  it('ELIC-06: the review lists every answer, and each can be changed', async () => {
    await step('Review (9/9)');
    const lines = ['Ada', '(not answered)', 'Fish', 'Wi-Fi, Bicycle', 'No', 'Send', 'Decline'];
    await eventually(
      () => quickInput.text(),
      (text) =>
        assert.deepEqual(
          lines.filter((line) => !text.includes(line)),
          [],
          text,
        ),
    );
    await quickInput.pick('Name');
    await step('Name (1/9)');
    await quickInput.enter('Grace');
    await step('Review (9/9)');
    await eventually(
      () => quickInput.text(),
      (text) => assert.match(text, /Grace/),
    );
    await quickInput.pick('Send');
  });

  it('ELIC-10, ELIC-17, ELIC-19: sends values as they are meant; what was left empty is absent', async () => {
    assert.deepEqual(await answer(), {
      action: 'accept',
      content: {
        name: 'Grace',
        seats: 2,
        budget: 0,
        window: false,
        meal: 'fish',
        extras: ['wifi', 'bike'],
      },
    });
    await editors.waitForText('Grace');
  });

  it('ELIC-06: leaving the others leads to the review, which says where the local time zone was taken', async () => {
    await run('askWhen');
    await step('Departure (1/4)');
    await next('2031-12-31T23:59:00Z');
    await step('Arrival (2/4)');
    await quickInput.fill('2032-01-01 12:30');
    await quickInput.clickButton('Leave the others as they are');
    await step('Review (4/4)');
    const local = '2032-01-01T12:30:00[+-]\\d\\d:\\d\\d';
    await eventually(
      () => quickInput.text(),
      (text) => {
        assert.match(text, new RegExp(`Arrival\\s*${local} \\(local time zone\\)`, 'u'));
        assert.match(text, /Departure\s*2031-12-31T23:59:00Z\s/u);
        assert.doesNotMatch(text, /Z \(local/u);
        assert.match(text, /Wish\s*\(not answered\)/u);
      },
    );
    await quickInput.pick('Send');
    assert.match(
      JSON.stringify(await answer()),
      new RegExp(`"departure":"2031-12-31T23:59:00Z","arrival":"${local}"`, 'u'),
    );
    await result();
  });

  it('ELIC-05, ELIC-19, TRAP-48: declining, by button or row, and closing are told apart', async () => {
    await run('ask');
    await step('Name (1/9)');
    await quickInput.clickButton('Decline');
    assert.deepEqual(await answer(), { action: 'decline' });
    await result();
    await run('ask');
    await step('Name (1/9)');
    await quickInput.cancel();
    assert.deepEqual(await answer(), { action: 'cancel' });
    await result();
    await run('askWhen');
    await step('Departure (1/4)');
    await quickInput.clickButton('Leave the others as they are');
    await step('Review (4/4)');
    await quickInput.pick('Decline');
    assert.deepEqual(await answer(), { action: 'decline' });
    await result();
  });

  it('ELIC-21, ELI-18: a field that asks for a secret is pointed out; server text is no link', async () => {
    await run('askSecret');
    await step('(1/2)');
    const text = await message(/seems to ask for a secret/);
    assert.match(text, /Read this/);
    const links = workbench.page.locator('.quick-input-widget:visible .quick-input-message a');
    assert.equal(await links.count(), 0);
    await quickInput.clickButton('Show the whole message');
    const whole = await editors.waitForText('Then give us your key.');
    assert.match(whole.trimStart(), /^MCP server "booking" \(node\) says:/);
    assert.match(whole, /\(command:workbench\.action\.closeWindow\)/);
    assert.equal(await workbench.page.locator('.part.editor .detected-link').count(), 0);
    const secret = 'hunter2-9b3e51';
    typedSecrets.add(secret);
    await quickInput.enter(secret);
    await step('(2/2)');
    assert.equal((await quickInput.text()).includes(secret), false);
    await quickInput.clickButton('Decline');
    assert.deepEqual(await answer(), { action: 'decline' });
    await until(
      'the message to be gone',
      () => editors.titles(),
      (titles) => !titles.some((title) => title.startsWith('message-of-')),
    );
  });

  it('CANC-03: a form that the server withdraws is gone at once, and nothing is sent', async () => {
    await run('withdraw');
    await step('Name (1/9)');
    await notifications.waitFor('waits for your answer');
    await quickInput.fill('Ada');
    await writeFile(`${answers}.late`, '');
    await quickInput.waitForEnd();
    await notifications.waitFor('withdrew its question');
    await editors.waitForText('withdrawn');
    await expectLast(answers, '"withdrawn"');
    seen = (await linesOf(answers)).length;
    await notifications.clear();
  });

  it('ELIC-22, ELIC-23, ELIC-25, ELI-15, ELI-17: a link is shown whole, its host apart, and what is odd about it', async () => {
    await run('oddLink');
    const { message: headline, detail, buttons } = await dialog.expect(/asks you to open a page/);
    assert.match(headline, /MCP server "booking" \(node\).*xn--pple-43d\.example:8443/);
    assert.match(detail, /\n {6}xn--pple-43d\.example:8443\n/);
    assert.match(
      detail,
      /http:\/\/bank\.example@xn--pple-43d\.example:8443\/sign-in\?next=%2Fa%26b/,
    );
    for (const warning of [
      /Not encrypted/,
      /may imitate another host/,
      /before the host/,
      /port/,
    ]) {
      assert.match(detail, warning);
    }
    assert.deepEqual(buttons.toSorted(), [
      'Cancel',
      'Decline',
      'Later',
      'Open in Browser',
      'Review…',
    ]);
    await dialog.answer('Decline');
    assert.deepEqual(await answer(), { action: 'decline' });
  });

  it('ELIC-24, ELI-16, ELIC-26, ELIC-27: a page is opened after consent; the server says when it is done', async () => {
    await run('link');
    const page = await openPage();
    await page.getByText('Paid.').waitFor({ timeout: patienceMs });
    await page.close();
    assert.deepEqual(await answer(), { action: 'accept' });
    await notifications.waitFor('says that you are finished');
    await notifications.clear();
  });

  variant(
    'ELIC-28, ELIC-29: error -32042 leads to the page; giving up fails the call, coming back sends it again',
    async () => {
      await run('needsLink');
      await dialog.answer('Cancel', /asks you to open a page/);
      await refused();
      // A page that never comes back by itself: "Done" sends the call once more.
      const context = workbench.page.context();
      await context.route('**/pay?*', (route) => route.abort());
      for (const choice of ['Done', 'Cancel']) {
        await run('needsLink');
        await (await openPage()).close();
        await step('waiting for you');
        await quickInput.pick(choice);
        await refused();
      }
      await context.unroute('**/pay?*');
      await run('needsLink');
      const page = await openPage();
      assert.equal(await answer(), 'paid');
      await page.close();
      await result();
    },
  );

  /** Runs a tool from the tree; what comes then is on the screen soon. */
  async function run(tool: string): Promise<void> {
    results = (await editors.titles()).length;
    await tree.clickInlineAction(tool, 'Run Tool');
    await dialog.expect(`"${tool}"`);
    await dialog.answer('Run');
  }

  /** Waits for the page with the result of the tool, which takes the focus, or for its message after a visit elsewhere. */
  async function result(): Promise<void> {
    await until(
      'the result',
      async () =>
        (await editors.titles()).length > results ||
        (await notifications.shown()).some((text) => text.includes('is there')),
      Boolean,
    );
  }

  /** Waits for a step whose title ends like this. */
  async function step(end: string): Promise<void> {
    await until(
      `the step ${end}`,
      () => quickInput.title(),
      (title) => title.endsWith(end),
    );
  }

  async function message(expected: RegExp): Promise<string> {
    return until(
      `the message ${String(expected)}`,
      () => quickInput.message(),
      (text) => expected.test(text.replaceAll('\n', ' ')),
    );
  }

  async function next(text: string): Promise<void> {
    await quickInput.fill(text);
    await until(
      'the text to be taken',
      () => quickInput.message(),
      (shown) => !/needed|at most/.test(shown),
    );
    await quickInput.accept();
  }

  /** The next answer that the server booking got. */
  async function answer(): Promise<unknown> {
    const lines = await until(
      'the answer',
      () => linesOf(answers),
      (all) => all.length > seen,
    );
    seen += 1;
    return JSON.parse(lines[seen - 1] ?? '');
  }

  async function refused(): Promise<void> {
    await notifications.waitFor('You have to pay first');
    await notifications.clear();
  }

  /** Consents to the page that is asked about. */
  async function openPage(): Promise<Page> {
    const opening = workbench.page.context().waitForEvent('page', { timeout: patienceMs });
    await dialog.answer('Open in Browser', /asks you to open a page/);
    return opening;
  }
});
