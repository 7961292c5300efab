/**
 * A bundle of "Add Server": a file of this machine, or one that is downloaded first. Unpacks it, asks for values that
 * stand for several arguments, and starts nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type ListOption, readBundle } from '../../host/import/bundle.ts';
import { joinCommandLine, splitCommandLine } from '../../host/import/commandLine.ts';
import type { Surroundings } from '../../host/import/importedServer.ts';
import type { BundlePlace } from '../../host/import/registryServers.ts';
import { fetchBytes } from '../../host/import/registrySearch.ts';
import { bundleLimits, unpackBundle } from '../../host/import/unpackBundle.ts';
import { type StepEnd, textStep } from '../forms/step.ts';
import { cancellable } from '../text/cancellation.ts';
import { oneLine } from '../text/labelText.ts';
import { inTurn } from '../../host/questions/inTurn.ts';
import type { Asked } from './saveServer.ts';

/** Milliseconds for a download; the user can cancel it. */
const downloadMs = 10 * 60 * 1_000;

/**
 * @param storage the extension's own folder
 * @returns `back` when the user closed a question; then nothing of the bundle stays
 */
export async function askBundle(
  { source, digest: expected }: BundlePlace,
  storage: vscode.Uri,
  around: Surroundings,
): Promise<Asked | 'back'> {
  const bundles = path.join(storage.fsPath, 'bundles');
  const title = vscode.l10n.t('Unpacking {0}…', oneLine(path.basename(source), 80));
  const unpacked = await cancellable(title, async (signal) => {
    if (!/^https?:\/\//iu.test(source)) {
      return unpackBundle(source.replace(/^~(?=[/\\])/u, os.homedir()), bundles, expected);
    }
    const folder = await mkdtemp(path.join(os.tmpdir(), 'mcp-bundle-'));
    try {
      const file = path.join(folder, path.basename(new URL(source).pathname));
      const limits = { bytes: bundleLimits.packedBytes, timeMs: downloadMs, mayLeave: true };
      await writeFile(file, await fetchBytes(source, signal, limits));
      return await unpackBundle(file, bundles, expected);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  const { folder, digest, manifest, isNew } = unpacked;
  const discard = async (): Promise<void> => {
    if (isNew) {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const answers = new Map<string, readonly string[]>();
  const { title: name, lists } = readBundle(manifest, folder, around);
  const end = await inTurn(
    lists.map((option) => async () => {
      const { end: left, text } = await askList(name, option, answers.get(option.key));
      if (left === 'next') {
        answers.set(option.key, splitCommandLine(text) ?? []);
      }
      return left;
    }),
  );
  if (end !== 'next' && end !== 'skip') {
    await discard();
    return 'back';
  }
  const { server } = readBundle(manifest, folder, around, answers);
  return {
    file: { servers: [server], problems: [] },
    origin: vscode.l10n.t('the bundle {0}, SHA-256 {1}', oneLine(name, 60), digest),
    discard,
  };
}

function askList(
  bundle: string,
  { description, isRequired, byDefault }: ListOption,
  before: readonly string[] = byDefault,
): Promise<{ readonly end: StepEnd; readonly text: string }> {
  const how = vscode.l10n.t('several are separated by blanks; quote one that has a blank');
  return textStep(
    { prompt: `${oneLine(description, 300)} — ${how}`, value: joinCommandLine(before) },
    { title: vscode.l10n.t('Add MCP Server: {0}', oneLine(bundle, 80)) },
    (text) => {
      const values = splitCommandLine(text);
      if (values === undefined) {
        return vscode.l10n.t('A quote is not closed.');
      }
      return isRequired && values.length === 0
        ? vscode.l10n.t('The bundle requires a value.')
        : undefined;
    },
  );
}

/** @returns undefined when the user closed the dialog */
export async function chooseBundle(): Promise<BundlePlace | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Add MCP Server'),
      openLabel: vscode.l10n.t('Open'),
      filters: { [vscode.l10n.t('MCP bundles')]: ['mcpb', 'dxt'] },
    })) ?? [];
  return file && { source: file.fsPath };
}
