/**
 * ServerConfig → LaunchDescription: everything that would run or go out, for the user to read, and a
 * hash of it. Variables that stand for folders are replaced; those that stand for the user's values
 * stay as they are, so that no secret is shown and no value has to be asked for.
 */
import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.ts';
import { McpError } from '../../mcp/errors.ts';
import { parseEnvFile } from '../config/envFile.ts';
import {
  baseFolder,
  checkVariables,
  environmentValue,
  expandHome,
  type LaunchContext,
  pathsOf,
  readEnvFile,
  textsOf,
} from '../config/launchContext.ts';
import { envFilePath, resolveWorkingDirectory } from '../config/resolveLaunch.ts';
import { Resolver } from '../config/resolver.ts';
import { looksSecret, SecretCollector } from '../config/secrets.ts';
import type {
  HttpLaunch,
  InputDefinition,
  ServerConfig,
  StdioLaunch,
} from '../config/serverConfig.ts';
import { folderPath, referencesIn, replaceReferences } from '../config/variables.ts';
import type { WorkspaceFolder } from '../ports.ts';
import type { LaunchDescription, LaunchFact, Risk } from './launchDescription.ts';
import { httpRisks, isOnThisMachine, stdioRisks } from './risks.ts';
import { describeConnection } from './describeConnection.ts';
import { describeSignIn } from './describeSignIn.ts';
import { describeUrl } from './urlDescription.ts';
import { visible, visibleWhole } from './visible.ts';

export interface DescribeContext extends LaunchContext {
  /** The folders that the server is told of. */
  readonly roots: readonly WorkspaceFolder[];
  /** The definition of an input. @throws McpError `invalidConfig` when the server cannot see it. */
  inputOf(id: string): InputDefinition;
}

/** What a description is made of, before roots and variables are added. */
interface Parts {
  readonly facts: readonly LaunchFact[];
  readonly risks: readonly Risk[];
  /** Whether the value of a variable in this field stays on the machine, or leaves it. */
  readonly variableIn: (field: string) => VariableLabel;
  /** For the hash: unescaped, and with the content of what the facts only name. */
  readonly content: unknown;
}

type VariableLabel = 'variable' | 'variableSent';

/** Changes when the meaning of a hash does: all consents are asked for again then. */
const hashVersion = 1;

/**
 * `changes` are left out: they are for whoever remembers consents.
 * @throws McpError `invalidConfig` when the start would fail anyway: nobody is asked for nothing.
 */
export async function describeLaunch(
  server: ServerConfig,
  context: DescribeContext,
): Promise<LaunchDescription> {
  await checkVariables(server, context, (id) => void context.inputOf(id));
  const { launch } = server;
  const parts =
    launch.kind === 'stdio'
      ? await describeStdio({ ...server, launch }, context)
      : await describeHttp({ ...server, launch }, context);
  const variables = describeVariables(server, context, parts.variableIn);
  const roots = context.roots.map(({ name, path, uri }) => ({ name, path, uri }));
  const content = {
    version: hashVersion,
    content: parts.content,
    inputs: variables.inputs,
    roots,
  };
  return {
    server,
    facts: [
      ...parts.facts,
      ...variables.facts,
      ...roots.map(({ name, path }) => fact('roots', `${visible(name)} (${visible(path)})`)),
    ],
    risks: parts.risks,
    hash: createHash('sha256').update(stableStringify(content)).digest('hex'),
  };
}

async function describeStdio(
  server: ServerConfig & { readonly launch: StdioLaunch },
  context: DescribeContext,
): Promise<Parts> {
  const { launch } = server;
  const { machine } = context;
  const known = (text: string): string => replaceKnown(text, server, context);
  const command = known(expandHome(launch.command, machine));
  const args = launch.args.map(known);
  const env = Object.fromEntries(
    Object.entries(launch.env).map(([name, text]) => [name, text === null ? null : known(text)]),
  );
  const cwd = describePath(launch.cwd, baseFolder(server, context), server, context);
  const file = await readFileOfVariables(server, context);
  const envFile = file && {
    path: describePath(launch.envFile, cwd, server, context),
    text: file.text,
  };
  const facts = [
    fact('command', visibleWhole(command)),
    ...args.map((text) => fact('argument', visibleWhole(text))),
    fact('workingDirectory', visibleWhole(cwd)),
    ...Object.entries(env).map(([name, text]) =>
      text === null
        ? fact('environmentRemoved', visibleWhole(name))
        : fact('environment', `${visible(name)}=${visible(text)}`),
    ),
    ...(envFile === undefined ? [] : [fact('environmentFile', visibleWhole(envFile.path))]),
  ];
  const risks = stdioRisks({
    platform: machine.platform,
    userHome: machine.userHome,
    folders: context.folders.map(({ path }) => path),
    cwd: referencesIn(cwd).length === 0 ? cwd : undefined,
    command,
    args,
    env,
    envFile: envFile === undefined ? {} : parseEnvFile(envFile.text),
    ...(envFile === undefined ? {} : { envFilePath: envFile.path }),
  });
  return {
    facts,
    risks,
    variableIn: () => 'variable',
    content: { launch, command, args, env, cwd, envFile },
  };
}

/** The envFile's text, read from where the start will read it. */
async function readFileOfVariables(
  server: ServerConfig & { readonly launch: StdioLaunch },
  context: DescribeContext,
): Promise<{ readonly text: string } | undefined> {
  const { envFile } = server.launch;
  if (envFile === undefined) {
    return undefined;
  }
  const resolver = consentResolver(server, context, 'envFile');
  const cwd = await resolveWorkingDirectory(server, context, resolver);
  const file = envFilePath(await resolver.path('envFile', envFile), cwd, context);
  return { text: await readEnvFile(server, file, context.machine) };
}

/** Replaces variables without a question. @param field whose content is part of what is consented to */
function consentResolver(server: ServerConfig, context: DescribeContext, field: string): Resolver {
  const error = new McpError(
    'invalidConfig',
    `must not depend on an \${input:…}: the content of ${field} is part of what is consented to, before anything is asked`,
  );
  return new Resolver(
    server,
    { ...context, valueOf: () => Promise.reject(error) },
    new SecretCollector(),
  );
}

/** Absolute as far as that is known; a path that begins with a user's value is left as it is. */
function describePath(
  text: string | undefined,
  base: string,
  server: ServerConfig,
  context: DescribeContext,
): string {
  if (text === undefined) {
    return base;
  }
  const path = replaceKnown(expandHome(text, context.machine), server, context);
  const paths = pathsOf(context.machine.platform);
  if (path.startsWith('${')) {
    return path;
  }
  // Not normalised around a variable: `${env:X}/..` is the folder above only if X is one segment.
  const isOpen = referencesIn(path).length > 0 || referencesIn(base).length > 0;
  if (!isOpen) {
    return paths.resolve(base, path);
  }
  return paths.isAbsolute(path) ? path : base + paths.sep + path;
}

async function describeHttp(
  server: ServerConfig & { readonly launch: HttpLaunch },
  context: DescribeContext,
): Promise<Parts> {
  const { launch } = server;
  const known = (text: string): string => replaceKnown(text, server, context);
  const url = describeUrl(known(launch.url), (name) => environmentValue(context.machine, name));
  const isHere = url.isSocket || (typeof launch.proxy !== 'string' && isOnThisMachine(url.origin));
  const headers = Object.entries(launch.headers).map(
    ([name, text]) => [name, known(text)] as const,
  );
  const carriesSecret = (name: string, text: string): boolean =>
    looksSecret(name) || referencesIn(text).some((reference) => isPrivate(reference, context));
  const secretFields = [
    ...(url.parameters.some(looksSecret) || carriesSecret('', url.shown) ? ['url'] : []),
    ...headers
      .filter(([name, text]) => carriesSecret(name, text))
      .map(([name]) => `headers.${name}`),
  ];
  const signIn = describeSignIn(launch, known);
  const connection = await describeConnection(
    launch,
    {
      server,
      context,
      resolver: consentResolver(server, context, 'tls.ca'),
      secrets: new SecretCollector(),
    },
    known,
  );
  return {
    facts: [
      fact('url', visibleWhole(url.shown)),
      ...(url.isSocket ? [fact('socket', visibleWhole(url.origin))] : []),
      ...headers.map(([name, text]) => fact('header', `${visible(name)}: ${visible(text)}`)),
      ...signIn.facts,
      ...connection.facts,
    ],
    risks: [
      ...httpRisks({ origin: url.origin, secretFields }),
      ...signIn.risks,
      ...connection.risks,
    ],
    // Whoever issues tokens for a server on this machine may be elsewhere, as may a proxy on the way to it.
    variableIn: (field) =>
      isHere && /^(?:url$|headers\.)/u.test(field) ? 'variable' : 'variableSent',
    content: {
      launch,
      url: url.shown,
      ...(url.isSocket ? { socket: url.origin } : {}),
      headers: Object.fromEntries(headers),
      ...(connection.authorities && { authorities: connection.authorities }),
    },
  };
}

function isPrivate(
  reference: ReturnType<typeof referencesIn>[number],
  context: DescribeContext,
): boolean {
  if (reference.kind === 'input') {
    const input = context.inputOf(reference.id);
    return input.type === 'promptString' && input.password;
  }
  return reference.kind === 'env';
}

/** Which values of the user the server gets, and in which fields. */
function describeVariables(
  server: ServerConfig,
  context: DescribeContext,
  labelIn: Parts['variableIn'],
): { readonly facts: readonly LaunchFact[]; readonly inputs: readonly InputDefinition[] } {
  const fields = new Map<string, Map<VariableLabel, Set<string>>>();
  const inputs = new Map<string, InputDefinition>();
  for (const { field, text } of textsOf(server.launch)) {
    for (const reference of referencesIn(text)) {
      const isUsed = reference.kind === 'env' || reference.kind === 'input';
      // A path, or what opens a key: nobody is sent it, and it is among the facts as it is written.
      if (isUsed && !field.startsWith('tls.')) {
        const label = labelIn(field);
        const byLabel = fields.get(reference.text) ?? new Map<VariableLabel, Set<string>>();
        fields.set(
          reference.text,
          byLabel.set(label, (byLabel.get(label) ?? new Set()).add(field)),
        );
      }
      if (reference.kind === 'input') {
        inputs.set(reference.id, context.inputOf(reference.id));
      }
    }
  }
  const facts = [...fields].flatMap(([text, byLabel]) => {
    const input = inputs.get(/^\$\{input:(.*)\}$/su.exec(text)?.[1] ?? '');
    const choices = input?.type === 'pickString' ? ` (${input.options.join(' | ')})` : '';
    return [...byLabel].map(([label, names]) =>
      fact(label, visible(`${text}${choices} → ${[...names].join(', ')}`)),
    );
  });
  // By id, so that the order of fields does not matter; all of a definition, since a question that
  // reads otherwise may be answered otherwise.
  const byId = [...inputs.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { facts, inputs: byId };
}

/** Puts in what is no secret: folders and the home folder. */
function replaceKnown(text: string, server: ServerConfig, context: DescribeContext): string {
  return replaceReferences(text, (reference) => {
    switch (reference.kind) {
      case 'workspaceFolder':
        return folderPath(context.folders, server.scope, reference.name);
      case 'userHome':
        return context.machine.userHome;
      case 'env':
      case 'input':
      case 'unknown':
        return undefined;
    }
  });
}

function fact(label: LaunchFact['label'], value: string): LaunchFact {
  return { label, value };
}
