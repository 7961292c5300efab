/**
 * ServerConfig → LaunchDescription: everything that would run or be sent, for the user to read, and a hash of it. Every
 * way to a start is described here. Variables for folders, and texts that came with the entry, are replaced; variables
 * for the user's values stay, so that no secret is shown and no value has to be asked for.
 */
import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.ts';
import { checkVariables, textsOf } from './launchContext.ts';
import type { InputDefinition, ServerConfig } from '../config/serverConfig.ts';
import { referencesIn } from '../config/variables.ts';
import { describeHttp } from './describeHttp.ts';
import { type DescribeContext, Describing, fact } from './describing.ts';
import { describeStdio } from './describeStdio.ts';
import type { LaunchDescription, LaunchFact } from './launchDescription.ts';
import { visible } from '../../base/visible.ts';

/** Raised when a hash gets another meaning: all consents are then asked for again. */
const hashVersion = 2;

/**
 * Leaves `changes` out: the keeper of consents adds them.
 * @throws McpError `invalidConfig` when the start would fail anyway, unless the context has `onProblem`
 */
export async function describeLaunch(
  server: ServerConfig,
  context: DescribeContext,
): Promise<LaunchDescription> {
  const describing = new Describing(server, context);
  await describing.attempt(
    () => checkVariables(server, context, (id) => void context.inputOf(id)),
    undefined,
  );
  const { launch } = server;
  const parts =
    launch.kind === 'stdio'
      ? { ...(await describeStdio({ ...server, launch }, describing)), isHere: true }
      : await describeHttp({ ...server, launch }, describing);
  const variables = describeVariables(server, describing, parts.isHere);
  const roots = context.roots.map(({ name, path, uri }) => ({ name, path, uri }));
  const { fromWorkspace = [] } = context;
  const content = {
    version: hashVersion,
    content: parts.content,
    inputs: variables.inputs,
    roots,
    fromWorkspace,
  };
  return {
    server,
    facts: [
      ...parts.facts,
      ...variables.facts,
      ...roots.map(({ name, path }) => fact('roots', `${visible(name)} (${visible(path)})`)),
    ],
    risks: [
      ...fromWorkspace.map((text) => ({ kind: 'workspace', what: 'taken', text }) as const),
      ...parts.risks,
    ],
    hash: createHash('sha256').update(stableStringify(content)).digest('hex'),
    unread: describing.unread,
  };
}

/**
 * Which of the user's values the server gets, and in which fields. All of an input's definition counts: a different
 * question may get a different answer.
 */
function describeVariables(
  server: ServerConfig,
  describing: Describing,
  isHere: boolean,
): { readonly facts: readonly LaunchFact[]; readonly inputs: readonly InputDefinition[] } {
  const { kind } = server.launch;
  // The token issuer and the proxy of a server on this machine may be elsewhere.
  const staysHere = (field: string): boolean =>
    isHere && (kind === 'stdio' || /^(?:url$|headers\.)/u.test(field));
  const references = textsOf(server.launch).flatMap(({ field, text }) =>
    referencesIn(text).map((reference) => {
      const input = reference.kind === 'input' ? describing.inputOf(reference.id) : undefined;
      const isStored = input !== undefined && describing.context.given?.(input.id) !== undefined;
      const label = isStored ? 'stored' : staysHere(field) ? 'variable' : 'variableSent';
      // A path, or the passphrase of a key, is sent to nobody; the facts show it as written.
      const isUsed = /^(?:env|input)$/u.test(reference.kind) && !field.startsWith('tls.');
      return { field, text: reference.text, input, label, isTold: isStored || isUsed } as const;
    }),
  );
  const told = references.filter(({ isTold }) => isTold);
  const facts = [...Map.groupBy(told, ({ label, text }) => `${text} ${label}`).values()].flatMap(
    ([first, ...others]) => {
      if (first === undefined) {
        return [];
      }
      const { label, text, input } = first;
      const fields = [...new Set([first, ...others].map(({ field }) => field))].join(', ');
      const what = label === 'stored' ? '' : `${text}${questionOf(input)} → `;
      return [fact(label, visible(what + fields))];
    },
  );
  // By id, so that the order of fields has no effect.
  const inputs = new Map(references.flatMap(({ input }) => (input ? [[input.id, input]] : [])));
  const byId = [...inputs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { facts, inputs: byId };
}

/** What the user is asked, in which form, and with which default. */
function questionOf(input: InputDefinition | undefined): string {
  if (input === undefined) {
    return '';
  }
  const { id, description, default: byDefault } = input;
  const parts = [
    ...(description === id ? [] : [JSON.stringify(description)]),
    ...(input.type === 'pickString' ? [input.options.join(' | ')] : []),
    ...(byDefault === undefined ? [] : [`default: ${JSON.stringify(byDefault)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}
