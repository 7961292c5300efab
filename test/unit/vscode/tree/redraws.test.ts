import assert from 'node:assert/strict';
import { Redraws } from '../../../../src/vscode/tree/redraws.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

interface Row {
  readonly id: string;
  below: readonly Row[];
  look: string;
  tooltip: string;
  /** What it shows of the rows that are not redrawn on their own. */
  notes: string;
}

function row(id: string, ...below: readonly Row[]): Row {
  return { id, below, look: 'look', tooltip: 'tooltip', notes: '' };
}

describe('Redraws', () => {
  let told: (readonly string[] | undefined)[];
  let tools: Row;
  let prompts: Row;
  let server: Row;
  let other: Row;
  let servers: readonly Row[];
  let redraws: Redraws<Row>;

  beforeEach(() => {
    told = [];
    [tools, prompts, other] = [row('tools'), row('prompts'), row('other')];
    server = row('server', tools, prompts);
    servers = [server, other];
    redraws = new Redraws<Row>(
      {
        look: (one) => [one?.look],
        tooltip: (one) => [one?.tooltip],
        inside: (one) => [...(one?.below ?? servers), one?.notes],
      },
      (one) => one?.below ?? servers,
      (rows) => told.push(rows?.map(({ id }) => id)),
    );
    draw(undefined);
    draw(server);
    draw(tools);
  });

  afterEach(() => redraws.dispose());

  /** As the editor asks for an open row. */
  function draw(one: Row | undefined): void {
    redraws.drew(one, 'inside');
    (one?.below ?? servers).forEach((each) => redraws.drew(each, 'look'));
  }

  const cases: Readonly<Record<string, [() => void, ...(typeof told)[number][]]>> = {
    'nothing, where nothing has changed': [() => undefined],
    'the row that looks different': [() => (prompts.look = 'new'), ['prompts']],
    'the row in which something has changed, not those around it': [
      () => (tools.notes = 'new'),
      ['tools'],
    ],
    'nothing for what changes in a closed row': [() => (prompts.notes = 'new')],
    'the row above, where one comes or goes': [() => (server.below = [tools]), ['server']],
    'the highest of the rows that have changed': [
      () => (server.look = tools.look = 'new'),
      ['server'],
    ],
    'all rows that have changed, at once': [
      () => (other.look = tools.look = prompts.look = 'new'),
      ['tools', 'prompts', 'other'],
    ],
    'everything, where a row at the top comes, goes or moves': [
      () => (servers = [other, server]),
      undefined,
    ],
    'nothing for a tooltip that nobody has seen': [() => (server.tooltip = 'new')],
    'a row whose tooltip was seen': [
      () => {
        redraws.drew(server, 'tooltip');
        server.tooltip = 'new';
      },
      ['server'],
    ],
    'nothing of rows that are forgotten': [
      () => {
        redraws.forget(server);
        server.look = tools.notes = 'new';
      },
    ],
  };

  for (const [name, [change, ...expected]] of Object.entries(cases)) {
    it(`tells ${name}`, () => {
      change();
      redraws.now();
      assert.deepEqual(told, expected);
    });
  }

  it('tells of a row once until the editor has drawn it, however much happens meanwhile', () => {
    server.look = 'new';
    redraws.now();
    server.look = 'newer';
    redraws.now();
    assert.deepEqual(told, [['server']]);
    draw(undefined);
    server.look = 'newest';
    redraws.now();
    assert.deepEqual(told, [['server'], ['server']]);
  });

  it('tells of a burst once, and does not wait for one that goes on and on', async () => {
    server.look = 'new';
    await waitUntil('the burst', () => {
      redraws.soon();
      return told.length > 0;
    });
    assert.deepEqual(told, [['server']]);
  });

  it('tells nothing any more when it is disposed', async () => {
    server.look = 'new';
    redraws.soon();
    redraws.dispose();
    let isTold = false;
    const later = new Redraws<Row>(
      { look: () => [], tooltip: () => [], inside: () => [{}] },
      () => [],
      () => (isTold = true),
    );
    later.drew(undefined, 'inside');
    later.soon();
    await waitUntil('the later one', () => isTold);
    later.dispose();
    assert.deepEqual(told, []);
  });

  it('tells again of what changed while the editor may have been drawing, unless it was asked for since', async () => {
    prompts.look = 'new';
    server.look = 'new';
    redraws.now();
    assert.deepEqual(told, [['server']]);
    draw(server);
    other.look = 'new';
    redraws.now();
    await waitUntil('the row again', () => told.length > 2);
    assert.deepEqual(told, [['server'], ['other'], ['other']]);
  });
});
