// Starts a VS Code from npm on a free loopback port: as VS Code's own server with its test hooks, or as code-server,
// which is what a person sees. Neither opens a page: the extension host lives only while somebody does.
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launch } from './processes.mjs';
import { freePort, waitForUrl } from './network.mjs';
import { unpack } from './zip.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {string} profile folder for settings, state and logs; made when missing
 * @property {string} [extensions] folder of unpacked extensions
 * @property {boolean} [trusted] switch workspace trust off, so that every folder counts as trusted (default true)
 * @property {string} log file for the server's own output
 * @property {NodeJS.ProcessEnv} [env] what the extension host's environment has besides ours
 */

/** VS Code's own server: takes tests by the page's address. Webviews do not work in it. */
export async function startTestServer(editor, /** @type {ServerOptions} */ options) {
  return start(editor, options, (port) => [
    editor.serverMain,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--without-connection-token',
    '--accept-server-license-terms',
    '--enable-smoke-test-driver',
    '--user-data-dir',
    path.join(options.profile, 'user'),
    '--server-data-dir',
    path.join(options.profile, 'server'),
    '--extensions-dir',
    options.extensions ?? path.join(options.profile, 'extensions'),
    '--telemetry-level',
    'off',
    ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
  ]);
}

/** code-server: a page of it is a whole VS Code window for a user. Settings are in `profile`/User/settings.json. */
export async function startCodeServer(editor, /** @type {ServerOptions} */ options) {
  return start(editor, options, (port) => [
    editor.codeServer,
    '--auth',
    'none',
    '--bind-addr',
    `127.0.0.1:${port}`,
    // Without its own configuration file it would write one into the home folder.
    '--config',
    path.join(options.profile, 'code-server.yaml'),
    '--user-data-dir',
    options.profile,
    '--extensions-dir',
    options.extensions ?? path.join(options.profile, 'extensions'),
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
  ]);
}

async function start(editor, options, args) {
  await mkdir(path.join(options.profile, 'User'), { recursive: true });
  await writeFile(path.join(options.profile, 'code-server.yaml'), 'cert: false\n');
  const port = await freePort();
  const running = launch(editor.node, args(port), {
    env: { ...serverEnv(), ...options.env },
    cwd: options.profile,
    log: options.log,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitForUrl(editor.name, `${url}/`, running);
  return { url, authority: `127.0.0.1:${port}`, running };
}

/**
 * The environment of a server. A run from inside another VS Code or code-server must not talk to that one, nor find what
 * other programs keep for this user; its password and bind address come from here alone.
 */
export function serverEnv() {
  const foreign =
    /^(VSCODE_|CODE_SERVER_|ELECTRON_|npm_|PASSWORD$|HASHED_PASSWORD$|PORT$|INIT_CWD$|MCP_HOST_SCRIPT_|XDG_CONFIG_HOME$|CLAUDE_CONFIG_DIR$|CODEX_HOME$)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  // Started from a shell, whose environment need not be asked of another one: that can take 10 s.
  return { ...Object.fromEntries(own), VSCODE_CLI: '1' };
}

/**
 * What makes a folder of the run the user's home: what tests do then depends on no start files of a shell and on no
 * settings of other programs, and leaves nothing behind.
 */
export async function ownHome(/** @type {string} */ profile) {
  const home = path.join(profile, 'home');
  await mkdir(home, { recursive: true });
  return { HOME: home, USERPROFILE: home };
}

/** Puts the VSIX's content into an extensions folder, as an installation would. */
export async function installVsix(vsix, extensions) {
  await unpackInto(extensions, async (folder) => {
    await unpack(vsix, 'extension/', folder);
    return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  });
}

/** Puts an unpacked extension into an extensions folder. */
export async function installFolder(source, extensions) {
  await unpackInto(extensions, async (folder) => {
    await cp(source, folder, { recursive: true });
    return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  });
}

async function unpackInto(extensions, fill) {
  await mkdir(extensions, { recursive: true });
  const staging = await mkdtemp(path.join(extensions, '.new-'));
  const { publisher, name, version } = await fill(staging);
  const folder = path.join(extensions, `${publisher}.${name}-${version}`);
  await rm(folder, { recursive: true, force: true });
  await rename(staging, folder);
}
