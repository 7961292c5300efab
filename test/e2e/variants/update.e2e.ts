// A newer version of the package that a server runs.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { listen, shut } from '../../support/listening.ts';
import { eventually, inWindow } from '../support/workbench.ts';

const answers: Readonly<Record<string, unknown>> = {
  '/@acme%2fweather/latest': { version: '1.2.3', description: 'Tells the weather' },
};

describe('A server with an exact version', () => {
  let registry: Server;
  const workbench = inWindow(async () => {
    registry = createServer((request, response) => {
      const answer = answers[request.url ?? ''];
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(JSON.stringify(answer));
    });
    const host = `127.0.0.1:${await listen(registry)}`;
    const args = ['-y', '@acme/weather@1.2.2', '--now'];
    return {
      servers: {
        unknown: { command: 'npx', args: ['-y', '@acme/unknown@1.0.0'], startup: 'manual' },
        forecast: { command: 'npx', args: ['-y', '@acme/weather@1.2.3'], startup: 'manual' },
        weather: { command: 'npx', args, startup: 'manual' },
      },
      userSettings: { 'mcpHost.npmRegistryUrl': `http://${host}` },
    };
  });
  const { dialog, notifications, quickInput, settings, tree } = workbench;

  after(() => shut(registry));

  it('is listed with the newer one beside others', async () => {
    await workbench.runCommand('MCP Host: Check for Update…');
    await quickInput.expectItems(['weather', 'unknown', 'forecast']);
    await quickInput.expectText('1.2.2 → 1.2.3');
    await quickInput.expectText('1.2.3, the newest version');
    await quickInput.expectText('The registry knows no package @acme/unknown');
    await quickInput.pick('weather');
    await dialog.answer('Cancel', 'Update the MCP server "weather"?');
  });

  it('is told what a newer one would run, which is written after a yes', async () => {
    const before = await settings.userText();
    for (const answer of ['Cancel', 'Update']) {
      await tree.chooseInMenu('weather', 'Check for Update…');
      const { detail, buttons } = await dialog.expect('Update the MCP server "weather"?');
      // The first has the focus, and commits nothing: the registry may answer while the user types elsewhere.
      assert.deepEqual(buttons.toSorted(), ['Cancel', 'Review…', 'Update']);
      assert.match(detail, /It runs: npx -y @acme\/weather@1\.2\.2 --now\n/);
      assert.match(detail, /It would run: npx -y @acme\/weather@1\.2\.3 --now\n/);
      assert.equal(await settings.userText(), before);
      await dialog.answer(answer);
    }
    await eventually(
      () => settings.userText(),
      (now) => assert.match(now, /"@acme\/weather@1\.2\.3",\s+"--now"/),
    );
    await tree.chooseInMenu('weather', 'Check for Update…');
    await notifications.waitFor('"weather" runs the newest version, 1.2.3.');
  });
});
