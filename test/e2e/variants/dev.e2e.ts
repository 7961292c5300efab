// A server under development: its line says after which change it was restarted.
import type { Row } from '../support/serversTree.ts';
import { scripted } from '../support/servers.ts';
import { inWindow, until } from '../support/workbench.ts';

describe('A server under development', () => {
  const workbench = inWindow({
    servers: { edited: { ...scripted('showcase.mjs'), dev: { watch: 'src/**/*.js' } } },
    files: { 'src/server.js': '// 0\n' },
  });
  const { tree, extension } = workbench;

  it('its line says after which change it was restarted', async () => {
    await extension.waitForServer('edited', 'ready');
    let version = 0;
    await until('the line to say so', async () => {
      // The editor takes a moment to watch: a file that is written before is not seen.
      version += 1;
      await workbench.writeFile('src/server.js', `// ${version}\n`);
      const changed = until('the change', () => tree.rows(), saysSo, 5_000);
      return changed.then(
        () => true,
        () => false,
      );
    });
  });
});

function saysSo(rows: readonly Row[]): boolean {
  const words = 'restarted after a change of src/server.js';
  return rows.some(({ label, description }) => label === 'edited' && description === words);
}
