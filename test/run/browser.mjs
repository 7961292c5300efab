// Runs the browser tests: the packed VSIX in a code-server, seen through a browser as a user sees it.
//   node test/run/browser.mjs [--no-build] [mocha's options and files]
// One code-server with workspace trust switched off and one with it serve all test files; what a test wants of them is
// in test/e2e/support/workbench.ts.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageExtension } from '../../scripts/package.mjs';
import { provisionBrowser } from '../../scripts/provision/browser.mjs';
import { provisionEditor } from '../../scripts/provision/editor.mjs';
import {
  installFolder,
  installVsix,
  ownHome,
  serverEnv,
  startCodeServer,
} from '../../scripts/support/editorServer.mjs';
import { defer } from '../../scripts/support/lifetime.mjs';
import { step } from '../../scripts/support/output.mjs';
import { projectEnv, run } from '../../scripts/support/processes.mjs';
import { localNode, nodeModules, results, root, vsixPath } from '../../scripts/support/project.mjs';
import { runOnLocalNode } from '../../scripts/support/runtime.mjs';

await runOnLocalNode(async (args) => {
  const vsix = args.includes('--no-build')
    ? vsixPath()
    : await step('Packing the extension', packageExtension);
  const editor = await provisionEditor('newest');
  const browser = await provisionBrowser();
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-host-e2e-'));
  defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const extensions = path.join(folder, 'extensions');
  await installVsix(vsix, extensions);
  await installFolder(path.join(root, 'demo/model'), extensions);
  const logs = path.join(results, 'browser');
  await rm(logs, { recursive: true, force: true });
  await mkdir(path.join(results, 'screenshots'), { recursive: true });

  const [trusted, restricted] = await Promise.all(
    [true, false].map((isTrusted) => start(editor, folder, extensions, logs, isTrusted)),
  );
  const ground = {
    trusted,
    restricted,
    editor: { node: editor.node, codeServer: editor.codeServer, env: serverEnv() },
    extensions,
    browser,
    root,
    node: localNode,
    folder,
    screenshots: path.join(results, 'screenshots'),
  };
  return mocha(
    args.filter((arg) => arg !== '--no-build'),
    ground,
  );
});

async function start(editor, folder, extensions, logs, trusted) {
  const name = trusted ? 'trusted' : 'restricted';
  const profile = path.join(folder, name);
  const log = path.join(logs, `${name}.log`);
  const { url } = await startCodeServer(editor, {
    profile,
    extensions,
    trusted,
    log,
    // A window is a process of its own, which compiles the same sources again.
    env: { ...(await ownHome(profile)), NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
  });
  return { url, settings: path.join(profile, 'User', 'settings.json') };
}

async function mocha(args, ground) {
  const files = args.some((arg) => arg.endsWith('.ts')) ? [] : ['test/e2e/**/*.e2e.ts'];
  const { code } = await run(
    localNode,
    [
      path.join(nodeModules, 'mocha', 'bin', 'mocha.js'),
      '--reporter',
      path.join(root, 'test/run/reporter.cjs'),
      '--require',
      path.join(root, 'test/e2e/support/hooks.ts'),
      // On a busy machine a line can move away under the mouse. A test that needs this often is mended.
      '--retries',
      '1',
      // A hook may load a page a second time.
      '--timeout',
      '300000',
      ...args,
      ...files,
    ],
    { env: projectEnv({ MCP_HOST_E2E: JSON.stringify(ground) }), inherit: true },
  );
  return code;
}
