// The chat view as a user sees it: open it, pick the scripted model, write, read the answers.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually, patienceMs, succeeds, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

export class Chat extends WindowPart {
  get #input(): Locator {
    return this.page.locator('.interactive-input-part .monaco-editor').first();
  }

  /** Opens the chat and picks the model that needs no network. */
  async open(): Promise<void> {
    // A window that was loaded anew may have its chat open already, or not take the keys yet.
    await until('the chat to be open', async () => {
      if (await this.#input.isVisible()) return true;
      await this.page.keyboard.press('Control+Alt+KeyI');
      return succeeds(this.#input.waitFor({ timeout: 5_000 }));
    });
    await this.#pickModel('Demo Model (scripted)');
  }

  async #pickModel(name: string): Promise<void> {
    const picker = this.page.locator('.interactive-input-part .chat-input-picker-item', {
      hasText: /model|auto|demo/iu,
    });
    const row = this.page
      .locator('.action-widget .monaco-list-row, .context-view .monaco-list-row')
      .filter({ hasText: name })
      .first();
    // A model that is registered meanwhile closes the list, and what is clicked then is lost.
    await until(`${name} to be chosen`, async () => {
      await picker.last().waitFor({ timeout: patienceMs });
      if ((await picker.last().innerText()).includes(name)) return true;
      if ((await row.count()) === 0) await picker.last().click({ timeout: patienceMs });
      return succeeds(row.click({ timeout: 5_000 }));
    });
  }

  /** What stands in the input, ready to be sent. Where it is wrapped is left out. */
  async inputText(): Promise<string> {
    return (await this.#input.locator('.view-lines').innerText())
      .replaceAll('\n', '')
      .replaceAll('\u00a0', ' ');
  }

  /** Writes a message to @mcp, or to another participant, and sends it. */
  async send(message: string, participant = 'mcp'): Promise<void> {
    await this.clear();
    await this.type(`@${participant} `);
    // At once: each typed letter is a message to the extension host.
    await this.page.keyboard.insertText(message);
    // The list of suggestions would take the key.
    await this.page.keyboard.press('Escape');
    await until('the message to be sent', async () => {
      await this.page.keyboard.press('Enter');
      return succeeds(
        until(
          'the input to be empty',
          () => this.inputText(),
          (text) => !text.includes(message.trim()),
          3_000,
        ),
      );
    });
  }

  async clear(): Promise<void> {
    // A click may meet a notification that covers the input.
    await this.#input.locator('.native-edit-context, textarea').first().focus();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.press('Delete');
  }

  /** Types into the input, where it stands. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: text.length > 200 ? 0 : 5 });
  }

  /** The labels of what the input suggests now. */
  async suggestions(): Promise<readonly string[]> {
    return this.page
      .locator('.suggest-widget.visible .monaco-list-row .label-name')
      .allInnerTexts();
  }

  /** Types `text` into the empty input, again and again, until the input suggests what `accept` likes. */
  async waitForSuggestions(
    text: string,
    what: string,
    accept: (labels: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    return until(
      what,
      async () => {
        await this.clear();
        await this.type(text);
        // Suggestions do not follow what comes later.
        return until(what, () => this.suggestions(), accept, 3_000).catch(() => this.suggestions());
      },
      accept,
    );
  }

  async pickSuggestion(label: string): Promise<void> {
    await this.page
      .locator('.suggest-widget.visible .monaco-list-row')
      .filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) })
      .first()
      .click();
  }

  /** The card on which the editor asks whether a tool may run: in the answer, or above the input for one of several. */
  get #confirmation(): Locator {
    const card = '.chat-confirmation-widget-container, .chat-confirmation-widget2';
    const above = this.page.locator('.interactive-input-part');
    return this.#answer.or(above).locator(card).filter({ visible: true });
  }

  async confirmationText(): Promise<string> {
    await this.#confirmation.first().waitFor({ timeout: patienceMs });
    return (await this.#confirmation.first().innerText()).replaceAll('\u00a0', ' ');
  }

  async hasConfirmation(): Promise<boolean> {
    const buttons = this.#confirmation.locator('.monaco-button', { hasText: /^Allow/u });
    return (await buttons.filter({ visible: true }).count()) > 0;
  }

  async waitForConfirmation(text: string): Promise<void> {
    await until(
      `a card with "${text}"`,
      () => this.confirmationText(),
      (card) => card.includes(text),
    );
  }

  async answerConfirmation(button: string): Promise<void> {
    await this.#confirmation
      .locator('.monaco-button')
      .filter({ hasText: new RegExp(`^${button}`, 'u') })
      .first()
      .click({ timeout: patienceMs });
  }

  /**
   * Allows on the editor's cards, which do not come where the tool was allowed before or claims to only
   * read, until a modal dialog is there.
   */
  async confirmUntilDialog(): Promise<void> {
    await this.#confirmUntil('the dialog', async () => {
      return (await this.page.locator('.monaco-dialog-box').count()) > 0;
    });
  }

  /** The same, until `text` stands in the answer. */
  async confirmUntilAnswer(text: string): Promise<void> {
    await this.#confirmUntil(`"${text}"`, async () => (await this.answerText()).includes(text));
  }

  async #confirmUntil(what: string, isThere: () => Promise<boolean>): Promise<void> {
    const allow = this.#confirmation.locator('.monaco-button', { hasText: /^Allow/u }).first();
    await until(what, async () => {
      if (await isThere()) return true;
      if ((await allow.count()) > 0) await allow.click({ timeout: 2_000 }).catch(() => undefined);
      return false;
    });
  }

  /** What is attached to the next message. */
  async attachments(): Promise<readonly string[]> {
    return this.page
      .locator('.interactive-input-part .chat-attached-context-attachment')
      .allInnerTexts();
  }

  /** The newest answer. */
  get #answer(): Locator {
    return this.page
      .locator('.interactive-session .interactive-item-container.interactive-response')
      .last();
  }

  async answerText(): Promise<string> {
    if ((await this.#answer.count()) === 0) return '';
    return (await this.#answer.innerText()).replaceAll('\u00a0', ' ');
  }

  async waitForAnswer(text: string, timeoutMs = patienceMs): Promise<string> {
    return until(
      `an answer with "${text}"`,
      () => this.answerText(),
      (answer) => answer.includes(text),
      timeoutMs,
    );
  }

  /** Waits for an answer like this: the editor draws it word by word. */
  async expectAnswer(expected: RegExp): Promise<string> {
    return eventually(
      () => this.answerText(),
      (answer) => assert.match(answer, expected),
    );
  }

  get #questions(): Locator {
    return this.page.locator(
      '.interactive-session .interactive-item-container.interactive-request',
    );
  }

  /** Questions on the screen. */
  async turns(): Promise<number> {
    return this.#questions.count();
  }

  /** Has the newest question answered again. */
  async retry(): Promise<void> {
    await this.#answer.hover();
    await this.#answer.locator('.action-label.codicon-refresh').click();
  }

  /** Edits the newest question where it stands, and sends it again. */
  async editQuestion(text: string): Promise<void> {
    await this.#questions.last().click();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(`@mcp ${text}`);
    await this.page.keyboard.press('Enter');
  }

  /** Images in the newest answer that have been drawn. */
  async images(): Promise<number> {
    return this.#answer
      .locator('.rendered-markdown img')
      .evaluateAll(
        (images) =>
          images.filter((image) => 'naturalWidth' in image && Number(image.naturalWidth) > 0)
            .length,
      );
  }

  /** Clicks the name of a file in the newest answer. */
  async clickAnchor(name: string): Promise<void> {
    await this.#answer.locator('.chat-inline-anchor-widget', { hasText: name }).first().click();
  }

  /** Clicks a button in the newest answer. */
  async clickButton(title: string): Promise<void> {
    await this.#answer.locator('.monaco-button', { hasText: title }).first().click();
  }

  /** Suggestions below the newest answer. */
  async followups(): Promise<readonly string[]> {
    return this.page.locator('.interactive-session-followups .monaco-button').allInnerTexts();
  }

  /** Opens what the editor has folded away: all that came before the last progress. */
  async expandSteps(): Promise<void> {
    await this.#answer.getByText(/^Completed \d+ steps/u).click();
  }

  async clickFollowup(text: string): Promise<void> {
    await this.page
      .locator('.interactive-session-followups .monaco-button', { hasText: text })
      .first()
      .click();
  }

  /** Attaches the file of the active editor, which the input offers by its name. */
  async attachActiveFile(name: string): Promise<void> {
    await this.page
      .locator('.interactive-input-part .chat-attached-context-attachment', { hasText: name })
      .first()
      .click();
  }

  get #stopButton(): Locator {
    return this.page
      .locator(
        '.interactive-input-part .codicon-stop-circle, .interactive-input-part .codicon-debug-stop',
      )
      .first();
  }

  async stop(): Promise<void> {
    await this.#stopButton.click();
  }

  /** Stops while a modal dialog keeps the mouse away, as the chat's own time limit or another window can. */
  async stopBehindDialog(): Promise<void> {
    await this.#stopButton.dispatchEvent('click');
  }

  /** Waits until no answer is being worked on. */
  async waitForEnd(): Promise<void> {
    await this.#stopButton.waitFor({ state: 'detached', timeout: patienceMs });
  }
}
