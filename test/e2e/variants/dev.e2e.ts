// A server under development: its line says after which change it was restarted, and the consent to start one for a
// debugger shows the command line as it is run.
import assert from 'node:assert/strict';
import { scripted } from '../support/servers.ts';
import type { Row } from '../support/serversTree.ts';
import { openWorkbench, until, type Workbench } from '../support/workbench.ts';

describe('A server under development', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench({
      userSettings: {
        'mcpHost.servers': {
          edited: { ...scripted('showcase.mjs'), dev: { watch: 'src/**/*.js' } },
        },
      },
      workspaceSettings: {
        'mcpHost.servers': {
          debugged: { ...scripted('showcase.mjs'), dev: { debug: { type: 'node' } } },
        },
      },
      files: { 'src/server.js': '// 0\n' },
    });
    await workbench.tree.show();
  });

  after(() => workbench.close());

  it('SEC-02: the consent shows what is run for the debugger', async () => {
    await workbench.notifications.answer('waits for your consent', 'Review…');
    const { detail } = await workbench.dialog.expect();
    await workbench.screenshot('dev-consent');
    assert.match(detail, /--inspect=127\.0\.0\.1:<any free port>/);
    await workbench.dialog.answer('Cancel');
  });

  it('its line says after which change it was restarted', async () => {
    await workbench.extension.waitForServer('edited', 'ready');
    let version = 0;
    await until(
      'the line to say so',
      async () => {
        // The editor takes a moment to watch: a file that is written before is not seen.
        version += 1;
        await workbench.writeFile('src/server.js', `// ${version}\n`);
        const changed = until('the change', () => workbench.tree.rows(), saysSo, 5_000);
        return changed.then(
          () => true,
          () => false,
        );
      },
      Boolean,
    );
    await workbench.screenshot('dev-restarted');
  });
});

function saysSo(rows: readonly Row[]): boolean {
  const words = 'restarted after a change of src/server.js';
  return rows.some(({ label, description }) => label === 'edited' && description === words);
}
