// Bundles the clients that are compared, each in a folder of its own, as esbuild.mjs bundles the extension.
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const root = pathOf('..');
const versionOf = (name) =>
  createRequire(import.meta.url)(pathOf(`../node_modules/${name}/package.json`)).version;
const both = ['legacy', 'modern'];

/**
 * `eras`, `hasWebSocket`, `hasProgress`: what the client can do; WebSockets are in a second bundle. The host thins progress
 * out before it is shown, so that what is delivered says nothing.
 */
export const clients = [
  { key: 'raw', title: 'raw', eras: both, hasWebSocket: true },
  { key: 'ours', title: 'ours', eras: both, hasWebSocket: true },
  { key: 'hosted', title: 'ours in the host', eras: both, hasWebSocket: false, hasProgress: false },
  {
    key: 'sdk1',
    title: `sdk ${versionOf('@modelcontextprotocol/sdk')}`,
    eras: ['legacy'],
    hasWebSocket: true,
  },
  {
    key: 'sdk2',
    title: `client ${versionOf('@modelcontextprotocol/client')}`,
    eras: both,
    hasWebSocket: false,
  },
];

/** Whether it can do what the place is about: `json`, `ws-2026` … */
export function speaks({ eras, hasWebSocket }, place) {
  const [wire, revision] = place.split('-');
  return (
    eras.includes(revision === undefined ? 'legacy' : 'modern') && (wire !== 'ws' || hasWebSocket)
  );
}

export function measures({ hasProgress = true }, measurement) {
  return hasProgress || measurement !== 'progress';
}

/** @returns the client with the files of its bundles, and the size of the one without WebSockets in kB. */
export async function bundle(client, folder, { minify = true } = {}) {
  const outdir = join(folder, client.key);
  const isOurs = client.key === 'ours';
  const hasSecond = ['raw', 'ours'].includes(client.key);
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: pathOf(`clients/${client.key}.mjs`), out: 'client' },
      ...(hasSecond
        ? [{ in: pathOf(`clients/${client.key}WebSocket.mjs`), out: 'clientOfWebSockets' }]
        : []),
    ],
    bundle: true,
    minify,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // As esbuild.mjs does.
    define: { 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' },
    supported: { 'dynamic-import': !isOurs },
    outExtension: { '.js': '.cjs' },
    legalComments: 'none',
    logLevel: 'error',
    outdir,
  });
  const file = join(outdir, 'client.cjs');
  return {
    ...client,
    file,
    webSocketFile: hasSecond ? join(outdir, 'clientOfWebSockets.cjs') : file,
    bundleKb: (await stat(file)).size / 1000,
  };
}
