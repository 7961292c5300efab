// The MCP view in the side bar of a window: its lines, and what can be done with one.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { Editors } from './editors.ts';
import { Notifications } from './notifications.ts';
import { foreground, plainBlanks } from './pageText.ts';
import { QuickInput } from './quickInput.ts';
import { eventually, patienceMs, succeeds, until } from './until.ts';
import { WindowPart } from './windowPart.ts';

/** A line of a tree, from top to bottom as it is shown; a long tree shows only what fits. */
export interface Row {
  /** 1 for the top. */
  readonly level: number;
  readonly label: string;
  readonly description: string;
}

export class ServersTree extends WindowPart {
  /** Shows the MCP view and waits for its first line or its welcome text. */
  async show(): Promise<void> {
    const tree = this.page.locator('.sidebar .pane-body .monaco-list, .sidebar .welcome-view');
    const tab = this.page.locator('.activitybar .action-item').filter({
      has: this.page.locator('[aria-label^="MCP"]'),
    });
    await until('the MCP view', async () => {
      const isSelected = await tab.getAttribute('aria-selected').catch(() => null);
      if (isSelected !== 'true') await tab.click();
      return succeeds(tree.first().waitFor({ timeout: 10_000 }));
    });
  }

  /** The side bar's text, for a welcome view. */
  async text(): Promise<string> {
    return (await this.page.locator('.sidebar').innerText()).trim();
  }

  /** The lines of the side bar's tree that are on the screen. */
  async rows(): Promise<readonly Row[]> {
    return this.page.locator('.sidebar .monaco-list-row').evaluateAll((elements) =>
      elements.map((element) => ({
        level: Number(element.getAttribute('aria-level')),
        label: element.querySelector('.label-name')?.textContent ?? '',
        description: element.querySelector('.label-description')?.textContent ?? '',
      })),
    );
  }

  /** Waits for lines of the side bar's tree that `accept` likes. */
  async waitForRows(
    what: string,
    accept: (rows: readonly Row[]) => boolean,
  ): Promise<readonly Row[]> {
    return until(what, () => this.rows(), accept);
  }

  /** Waits for a line with this label and a description with these words, or just so. */
  async expectRow(label: string, words: string | RegExp = ''): Promise<Row> {
    const isMeant = (row: Row): boolean =>
      row.label === label &&
      (typeof words === 'string' ? row.description.includes(words) : words.test(row.description));
    const rows = await this.waitForRows(`${label}: ${words}`, (all) => all.some(isMeant));
    return rows.find(isMeant) ?? assert.fail('no row');
  }

  /** Waits until these labels stand one below the other. */
  async expectLabels(...labels: readonly string[]): Promise<void> {
    await this.waitForRows(labels.join(', '), (rows) => {
      const from = rows.findIndex(({ label }) => label === labels[0]);
      return labels.every((label, index) => rows[from + index]?.label === label);
    });
  }

  /** The line with this label; the first, when there are several. */
  row(label: string): Locator {
    return this.page
      .locator('.sidebar .monaco-list-row')
      .filter({ has: this.page.locator('.label-name').getByText(label, { exact: true }) })
      .first();
  }

  /** Clicks the line with this label, for what it opens. */
  async clickRow(label: string): Promise<void> {
    const row = this.row(label);
    const selected = row.and(this.page.locator('[aria-selected="true"]'));
    await until(`a click on ${label}`, async () => {
      await row.click();
      // A line that is redrawn meanwhile loses the click.
      return succeeds(selected.waitFor({ timeout: 3_000 }));
    });
  }

  /** Opens lines from top to bottom: a server, a group in it. */
  async expand(...labels: readonly string[]): Promise<void> {
    for (const label of labels) {
      const row = this.row(label);
      await row.waitFor({ timeout: patienceMs });
      await until(
        `${label} to be open`,
        async () => {
          if ((await row.getAttribute('aria-expanded')) === 'false') {
            await row.locator('.monaco-tl-twistie').click();
            // A line that is redrawn meanwhile loses the click.
            const open = row.and(this.page.locator('[aria-expanded="true"]'));
            await open.waitFor({ timeout: 2_000 }).catch(() => undefined);
          }
          return this.#showsInside(row);
        },
        (shows) => shows,
      );
    }
  }

  /**
   * Whether what is in this line can be seen, or lies below the window. An open line alone says nothing yet: one whose
   * server is redrawn while the editor asks what is in it is closed again.
   */
  async #showsInside(row: Locator): Promise<boolean> {
    return row.evaluate((line) => {
      const number = (element: typeof line, name: string) => Number(element.getAttribute(name));
      const next = [...(line.parentElement?.children ?? [])].find(
        (other) => number(other, 'data-index') === number(line, 'data-index') + 1,
      );
      const list = line.closest('.monaco-list');
      const isLowest =
        list !== null &&
        line.getBoundingClientRect().bottom > list.getBoundingClientRect().bottom - 30;
      return (
        line.getAttribute('aria-expanded') === 'true' &&
        (next === undefined ? isLowest : number(next, 'aria-level') > number(line, 'aria-level'))
      );
    });
  }

  async collapse(label: string): Promise<void> {
    const row = this.row(label);
    await row.waitFor({ timeout: patienceMs });
    await until(
      `${label} to be closed`,
      async () => {
        if ((await row.getAttribute('aria-expanded')) === 'true') {
          await row.locator('.monaco-tl-twistie').click();
          const closed = row.and(this.page.locator('[aria-expanded="false"]'));
          await closed.waitFor({ timeout: 2_000 }).catch(() => undefined);
        }
        return row.getAttribute('aria-expanded');
      },
      (expanded) => expanded === 'false',
    );
  }

  /** The titles of the actions on a line, which show when the mouse is over it. */
  async inlineActions(label: string): Promise<readonly string[]> {
    await this.row(label).hover();
    return this.row(label)
      .locator('.actions .action-label')
      .evaluateAll((elements) => elements.map((e) => e.getAttribute('aria-label') ?? ''));
  }

  /** Waits for exactly these actions on a line. */
  async expectInlineActions(label: string, expected: readonly string[]): Promise<void> {
    await eventually(
      () => this.inlineActions(label),
      (actions) => assert.deepEqual(actions, expected),
    );
  }

  /** Clicks the action with this title on a line. */
  async clickInlineAction(label: string, title: string): Promise<void> {
    await this.clickRowAction(async () => this.row(label), title);
  }

  /** The same for a line that its label alone does not find. */
  async clickRowAction(findRow: () => Promise<Locator>, title: string): Promise<void> {
    // A line that moves while the tree grows loses the mouse, and its actions with it.
    await until(
      `a click on "${title}"`,
      async () => {
        try {
          const row = await findRow();
          await row.hover({ timeout: 5_000 });
          const before = await this.#effects(row);
          await row
            .locator(`.actions .action-label[aria-label^="${title}"]`)
            .click({ timeout: 2_000 });
          await until(
            'an effect',
            () => this.#effects(row),
            (effects) => effects !== before,
            2_000,
          ).catch(() => undefined);
        } catch (error) {
          return String(error);
        }
        // The editor does not know a line that is drawn anew at this moment: the command asks which was meant.
        const box = this.page.locator('.quick-input-widget:visible .quick-input-box input');
        const asked = await box.evaluateAll((boxes) =>
          boxes.map((one) => one.getAttribute('placeholder')),
        );
        if (
          !asked.some((text) => /^Which (?:tool|server|resource|request|one)\b/.test(text ?? ''))
        ) {
          return 'done';
        }
        await new QuickInput(this).cancel();
        return 'asked which';
      },
      (outcome) => outcome === 'done',
    );
  }

  /** All that an action on a line can change at once. */
  async #effects(row: Locator): Promise<string> {
    const parts = await Promise.all([
      foreground(this.page),
      new Editors(this).titles(),
      new Notifications(this).shown(),
      row.allInnerTexts(),
      this.page.locator('.part.panel:visible').count(),
    ]);
    return JSON.stringify(parts);
  }

  /** Drags a line to the middle of something else, in the small steps that a hand makes. */
  async drag(label: string, target: Locator): Promise<void> {
    const from = await this.row(label).locator('.label-name').boundingBox();
    const to = await target.boundingBox();
    if (from === null || to === null) return;
    const { mouse } = this.page;
    await mouse.move(from.x + 10, from.y + from.height / 2);
    await mouse.down();
    await mouse.move(from.x + 20, from.y + from.height / 2 + 4, { steps: 4 });
    await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 });
    await mouse.move(to.x + to.width / 2 + 4, to.y + to.height / 2 + 4, { steps: 4 });
    await this.page.waitForTimeout(300);
    await mouse.up();
  }

  /** Chooses an entry of a line's context menu. */
  async chooseInMenu(label: string, entry: string): Promise<void> {
    await this.chooseFromMenu(entry, () =>
      this.row(label).click({ button: 'right', timeout: 5_000 }),
    );
  }

  /** What hovering over a line shows, once that has `part` in it: lines move while servers start and fail. */
  async tooltip(label: string, part: string): Promise<string> {
    const hovers = this.page.locator('.monaco-hover:visible');
    const shown = async (): Promise<string> =>
      plainBlanks((await hovers.allInnerTexts()).join('\n'));
    const isRight = (text: string): boolean => text.includes(part);
    return until(
      `a tooltip of "${label}" with "${part}"`,
      async () => {
        // One that was about to come when the mouse left can stay for good.
        await this.page.mouse.move(700, 400, { steps: 3 });
        await until('no tooltip', shown, (text) => text === '', 3_000).catch(() => undefined);
        // By its beginning: a long label would be scrolled in its line to put the mouse on its middle.
        await this.row(label)
          .locator('.custom-view-tree-node-item-resourceLabel')
          .hover({ position: { x: 30, y: 11 } });
        // A line that is drawn anew at this moment shows nothing until the mouse comes again.
        return until('the tooltip', shown, isRight, 5_000).catch(shown);
      },
      isRight,
    );
  }
}
