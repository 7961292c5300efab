/**
 * One server of another program → an entry of `mcpHost.servers`. Problems name fields without counterpart. The result
 * has passed the same checks as our own settings.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { typeName } from '../config/entryReader.ts';
import { parseConfig, whatIsWrongWithSize } from '../config/parseConfig.ts';
import type {
  ForeignServer,
  ImportedInput,
  ImportedServer,
  Surroundings,
} from './importedServer.ts';
import { findSecrets, withoutSecrets } from './secretPlaces.ts';
import { type FileInputs, type ProgramRules, ServerDraft } from './serverDraft.ts';
import { readServer } from './serverFields.ts';

export function translateServer(
  server: ForeignServer,
  rules: ProgramRules,
  around: Surroundings,
  fileInputs: FileInputs = new Map(),
): ImportedServer {
  const draft = new ServerDraft(rules, around, fileInputs);
  const { name, raw, project } = server;
  const shared = { name, ...(project === undefined ? {} : { project }) };
  if (!isObject(raw)) {
    return unusable(shared, t('must be an object with `command` or `url`, not {0}', typeName(raw)));
  }
  const wrong = whatIsWrongWithSize(raw);
  if (wrong !== undefined) {
    return unusable(shared, wrong);
  }
  readServer(draft, raw);
  const { entry } = draft;
  const inputs = [...draft.inputs.values()];
  const { isUsable, problems } = check(name, entry, inputs);
  return {
    ...shared,
    entry,
    inputs,
    summary: summaryOf(entry),
    problems: [...draft.problems, ...problems],
    isUsable,
  };
}

/** A server without an entry. */
export function unusable(
  server: Pick<ImportedServer, 'name' | 'project'>,
  problem: string,
): ImportedServer {
  return {
    ...server,
    entry: {},
    inputs: [],
    summary: '',
    problems: [problem],
    isUsable: false,
  };
}

/** What an entry runs or reaches: a label for a list. A full description comes before the first start. */
export function summaryOf({ command, args, url }: JsonObject): string {
  return [command ?? url, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])]
    .filter(isString)
    .join(' ');
}

/** The problems that our settings would report for the entry. */
function check(
  name: string,
  entry: JsonObject,
  inputs: readonly ImportedInput[],
): { readonly isUsable: boolean; readonly problems: readonly string[] } {
  // Some texts must be variables; they will be once their values are in the secret storage.
  const written = withoutSecrets(entry, findSecrets(entry), () => '${input:secret}');
  const servers = Object.fromEntries([[name, written]]);
  const { servers: accepted, problems } = parseConfig([
    { scope: { kind: 'user' }, servers, inputs },
  ]);
  return {
    isUsable: accepted.length === 1,
    problems: problems.map(({ field, message }) =>
      field === undefined ? message : `${field}: ${message}`,
    ),
  };
}
