/**
 * A bundle of "Add Server": a file of this machine, or one that is downloaded first. Unpacks it, asks for values that
 * stand for several arguments, offers to update an entry that runs an earlier version, and starts nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import * as os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../base/json.ts';
import {
  type Bundle,
  inputsIn,
  type ListOption,
  maxTitleChars,
  readBundle,
  updatedBundle,
} from '../../host/import/bundle.ts';
import { joinCommandLine, splitCommandLine } from '../../host/import/commandLine.ts';
import type { Surroundings } from '../../host/import/importedServer.ts';
import { planImport } from '../../host/import/planImport.ts';
import type { BundlePlace } from '../../host/import/registryServers.ts';
import { fetchBytes } from '../../host/import/registrySearch.ts';
import { summaryOf } from '../../host/import/translateServer.ts';
import {
  type BundleFiles,
  bundleLimits,
  bundleOf,
  unpackBundle,
  type UnpackedBundle,
} from '../../host/import/unpackBundle.ts';
import { inTurn } from '../../host/questions/inTurn.ts';
import { type StepEnd, textStep } from '../forms/step.ts';
import { askAboutLaunch, updateQuestion } from '../launch/launchQuestion.ts';
import { cancellable } from '../text/cancellation.ts';
import { dotted, oneLine } from '../text/labelText.ts';
import type { AddServices } from './importServers.ts';
import { takenIds, userTarget } from './saveQuestions.ts';
import type { Asked, AskedServer, Updated } from './saveServer.ts';
import { configOf, writeServers } from './settingsTarget.ts';
import { byHand, leftLines, reviewLines } from './trial.ts';

/** Milliseconds for a download; the user can cancel it. */
const downloadMs = 10 * 60 * 1_000;

type Answers = Map<string, readonly string[]>;

/** @returns `back` when the user closed a question; nothing of a bundle stays that is neither added nor updated */
export async function askBundle(
  place: BundlePlace,
  services: AddServices,
  around: Surroundings,
): Promise<Asked | 'back'> {
  const bundles = path.join(services.storage.fsPath, 'bundles');
  const unpacked = await unpack(place, bundles);
  const discard = async (): Promise<void> => {
    if (unpacked.isNew) {
      await rm(unpacked.folder, { recursive: true, force: true });
    }
  };
  try {
    const earlier = await findEarlier(unpacked, bundles, services, around);
    const update = earlier && (await askUpdate(earlier, unpacked, around, services));
    if (update !== undefined && update !== 'add') {
      if (update === 'back' || update.updated === undefined) {
        await discard();
      }
      return update;
    }
    const server = await askValues(unpacked, around);
    if (server === undefined) {
      await discard();
      return 'back';
    }
    return { ...server, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

function unpack(
  { source, digest: expected }: BundlePlace,
  bundles: string,
): Thenable<UnpackedBundle> {
  const title = vscode.l10n.t('Unpacking {0}…', oneLine(path.basename(source), 80));
  return cancellable(title, async (signal) => {
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
}

/** @returns undefined when the user closed a question */
async function askValues(
  { folder, digest, manifest }: UnpackedBundle,
  around: Surroundings,
): Promise<AskedServer | undefined> {
  const answers: Answers = new Map();
  const { title, lists } = readBundle(manifest, folder, around);
  if (!(await askLists(title, lists, answers))) {
    return undefined;
  }
  const { server } = readBundle(manifest, folder, around, answers);
  return { file: { servers: [server], problems: [] }, origin: originText(title, digest) };
}

function originText(title: string, digest: string): string {
  return vscode.l10n.t('the bundle {0}, SHA-256 {1}', oneLine(title, maxTitleChars), digest);
}

/** An entry of the user that runs another version of a bundle. */
interface Earlier extends BundleFiles {
  readonly name: string;
  readonly entry: JsonObject;
}

async function findEarlier(
  { folder, manifest }: BundleFiles,
  bundles: string,
  { userData }: AddServices,
  around: Surroundings,
): Promise<Earlier | undefined> {
  const target = userTarget(userData);
  const { server, identity } = readBundle(manifest, folder, around);
  const mayUpdate = server.isUsable && identity !== undefined;
  for (const name of mayUpdate ? target.serverNames : []) {
    const entry = target.entry(name);
    const files = await bundleOf(entry, bundles);
    if (isObject(entry) && files !== undefined && files.folder !== folder) {
      const other = readBundle(files.manifest, files.folder, around);
      if (other.identity === identity) {
        return { ...files, name, entry };
      }
    }
  }
  return undefined;
}

/** Writes a bundle in place of an earlier version when the user says so. */
async function askUpdate(
  earlier: Earlier,
  unpacked: UnpackedBundle,
  around: Surroundings,
  services: AddServices,
): Promise<Updated | 'add' | 'back'> {
  const { name, entry } = earlier;
  const read = (answers?: Answers): Bundle =>
    updatedBundle(entry, earlier, unpacked, around, answers);
  const answers: Answers = new Map();
  const { title, lists } = read();
  if (!(await askLists(title, lists, answers))) {
    return 'back';
  }
  const { server } = read(answers);
  const target = userTarget(services.userData);
  const kept = new Set(inputsIn(entry));
  const taken = (await takenIds(target, services.inputs())).filter((id) => !kept.has(id));
  const plan = planImport([{ server, name, file: '', isSecret: () => false }], taken);
  const added = { ...plan, inputs: plan.inputs.filter(({ id }) => !kept.has(id)) };
  const end = await writeServers(added, target, services.inputs(), async () => {
    const { title: before } = readBundle(earlier.manifest, earlier.folder, around);
    const question = updateQuestion(
      name,
      dotted(oneLine(before, maxTitleChars), summaryOf(entry)),
      dotted(oneLine(title, maxTitleChars), server.summary),
    );
    const known = target.inputs.filter(({ id }) => kept.has(String(id)));
    const about = await reviewLines(
      configOf({ ...plan, inputs: [...known, ...added.inputs] }, target),
      (id) => plan.texts.get(id),
      () => originText(title, unpacked.digest),
      services,
    );
    const answer = await askAboutLaunch<'start' | 'add' | 'back'>(
      {
        ...question,
        lines: [...question.lines, '', ...leftLines(server.problems), ...about],
        buttons: [
          { title: vscode.l10n.t('Update'), answer: 'start', commits: true },
          { title: vscode.l10n.t('Add as Another Server'), answer: 'add' },
          { title: vscode.l10n.t('Back'), answer: 'back' },
        ],
      },
      services.keepFile,
      byHand,
    );
    return answer === 'later' ? undefined : answer;
  });
  return end === 'add' || end === 'back' ? end : { updated: end };
}

/** Returns whether the user has gone through all. */
async function askLists(
  bundle: string,
  lists: readonly ListOption[],
  answers: Answers,
): Promise<boolean> {
  const end = await inTurn(
    lists.map((option) => async () => {
      const { end: left, text } = await askList(bundle, option, answers.get(option.key));
      if (left === 'next') {
        answers.set(option.key, splitCommandLine(text) ?? []);
      }
      return left;
    }),
  );
  return end === 'next' || end === 'skip';
}

function askList(
  bundle: string,
  { description, isRequired, byDefault }: ListOption,
  before: readonly string[] = byDefault,
): Promise<{ readonly end: StepEnd; readonly text: string }> {
  const how = vscode.l10n.t('several are separated by spaces; quote one that has a space');
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
