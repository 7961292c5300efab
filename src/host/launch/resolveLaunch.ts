/**
 * ServerConfig → ResolvedLaunch: variables replaced, paths absolute, the environment complete, with the list of its
 * secrets. Whether the server may run was decided before.
 */
import { t } from '../../base/l10n.ts';
import { withoutUndefined } from '../../base/json.ts';
import type { Resolution, ResolvedLaunch } from './launchGate.ts';
import { inherited, layered, lookUp, type Platform } from '../config/environment.ts';
import {
  baseFolder,
  inField,
  invalidField,
  isPath,
  type LaunchContext,
  pathsOf,
  readEnvFile,
} from './launchContext.ts';
import { type Reachable, reachable } from './programSearch.ts';
import { resolveConnection } from './resolveConnection.ts';
import { resolveOauth } from './resolveOauth.ts';
import { type ResolveContext, Resolver, type Resolving } from './resolver.ts';
import { SecretCollector } from './secrets.ts';
import { environmentArguments, missingTool } from './sandbox.ts';
import type { HttpLaunch, ServerConfig, StdioLaunch } from '../config/serverConfig.ts';
import { checkSocketPlatform, readSocketUrl } from '../config/socketUrl.ts';
import { parse } from 'dotenv';

/** @throws McpError `invalidConfig` naming server and field; whatever `valueOf` throws. */
export async function resolveLaunch(
  server: ServerConfig,
  context: ResolveContext,
): Promise<Resolution> {
  const secrets = new SecretCollector();
  const notes: string[] = [];
  const resolver = new Resolver(server, context, secrets);
  const resolving = { server, context, resolver, secrets };
  const { launch } = server;
  const resolved =
    launch.kind === 'stdio'
      ? await resolveStdio({ ...resolving, server: { ...server, launch } }, notes)
      : await resolveUrl(launch, resolving);
  return { launch: resolved, secrets: secrets.all, notes };
}

/**
 * The absolute path of `envFile`, for a launch with a known working directory. Consent and start read the same file.
 */
export function envFilePath(envFile: string, cwd: string, context: LaunchContext): string {
  return pathsOf(context.machine.platform).resolve(cwd, envFile);
}

type ResolvingStdio = Resolving & { readonly server: { readonly launch: StdioLaunch } };

/** @param notes receives lines for the server's log */
async function resolveStdio(resolving: ResolvingStdio, notes: string[]): Promise<ResolvedLaunch> {
  const { server, context, resolver, secrets } = resolving;
  const { launch } = server;
  const { machine } = context;
  const paths = pathsOf(machine.platform);
  const cwd = await resolveWorkingDirectory(server, context, resolver);
  const command = await resolver.path('command', launch.command);
  if (command.trim() === '') {
    throw invalidField(server, 'command', t('is empty once its variables are replaced'));
  }
  const args = [...(await resolver.fields({ args: launch.args })).values()];
  secrets.addFromArguments(args);
  const own = await resolveEnvironment(launch.env, resolving);
  const file = await resolveEnvFile(cwd, resolving);
  const program = isPath(command, machine.platform) ? paths.resolve(cwd, command) : command;
  const { sandboxed } = launch;
  if (sandboxed !== undefined && !(await machine.programs.isProgram(program))) {
    throw invalidField(server, 'sandbox', missingTool(program));
  }
  const searched =
    sandboxed === undefined ? program : await resolver.text('command', sandboxed.program);
  const { env, foundByShell } = await reachableEnvironment(searched, own, file, context);
  if (foundByShell !== undefined) {
    notes.push(`"${searched}" was found on the PATH of the login shell: ${foundByShell}`);
  }
  const handedOver = sandboxed?.isHandedEnvironment === true && environmentArguments(env);
  return {
    kind: 'stdio',
    command: program,
    args,
    cwd,
    env,
    ...(handedOver !== false && { handedOver }),
  };
}

/** An entry that sets PATH has decided where to look. */
async function reachableEnvironment(
  program: string,
  own: Readonly<Record<string, string | null>>,
  file: Readonly<Record<string, string>>,
  context: LaunchContext,
): Promise<Reachable> {
  const { machine } = context;
  const { platform } = machine;
  const env = layered(platform, [inherited(machine.env), file, own]);
  const given = layered(platform, [file, own]);
  return lookUp(platform, given, 'PATH') === undefined ? reachable(program, env, context) : { env };
}

/** Absolute; the entry's folder where `cwd` is absent. */
export async function resolveWorkingDirectory(
  server: ServerConfig & { readonly launch: StdioLaunch },
  context: LaunchContext,
  resolver: Resolver,
): Promise<string> {
  const base = baseFolder(server, context);
  const { cwd } = server.launch;
  return cwd === undefined
    ? base
    : pathsOf(context.machine.platform).resolve(base, await resolver.path('cwd', cwd));
}

async function resolveEnvironment(
  env: StdioLaunch['env'],
  { server, resolver, secrets }: Resolving,
): Promise<Readonly<Record<string, string | null>>> {
  const entries: [string, string | null][] = [];
  for (const [name, template] of Object.entries(env)) {
    if (name.includes('\0')) {
      throw invalidField(server, 'env', t('the name of a variable holds the character U+0000'));
    }
    const value = template === null ? null : await resolver.text(`env.${name}`, template);
    if (value !== null) {
      secrets.addNamed(name, value);
    }
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

async function resolveEnvFile(
  cwd: string,
  { server, context, resolver, secrets }: ResolvingStdio,
): Promise<Readonly<Record<string, string>>> {
  const { envFile } = server.launch;
  if (envFile === undefined) {
    return {};
  }
  const file = envFilePath(await resolver.path('envFile', envFile), cwd, context);
  const variables = parseEnvFile(await readEnvFile(server, file, context.machine));
  for (const [name, value] of Object.entries(variables)) {
    if (value.includes('\0')) {
      throw invalidField(server, 'envFile', t('the variable {0} holds the character U+0000', name));
    }
    secrets.addPrivate(name, value);
  }
  return variables;
}

async function resolveUrl(launch: HttpLaunch, resolving: Resolving): Promise<ResolvedLaunch> {
  const { server, context, resolver, secrets } = resolving;
  const { url, socketPath } = await parseUrl(
    server,
    await resolver.text('url', launch.url),
    context.machine.platform,
  );
  secrets.addFromUrl(url);
  const headers: [string, string][] = [];
  for (const [name, template] of Object.entries(launch.headers)) {
    const value = await resolver.text(`headers.${name}`, template);
    checkHeaderValue(server, name, value);
    secrets.addNamed(name, value);
    headers.push([name, value]);
  }
  // No sign-in at a local socket: the URLs in its authorization metadata would be fetched elsewhere.
  const auth = socketPath === undefined ? await resolveOauth(launch, resolving) : undefined;
  const ownUrl = socketPath === undefined ? url : undefined;
  const connection = await resolveConnection(launch, ownUrl, resolving);
  const reached = withoutUndefined({
    url: url.href,
    headers: Object.fromEntries(headers),
    connection,
    auth,
  });
  const isWebSocket = url.protocol === 'ws:' || url.protocol === 'wss:';
  if (isWebSocket !== (launch.type === 'websocket') && launch.type !== undefined) {
    throw invalidField(server, 'type', t('does not fit the URL once its variables are replaced'));
  }
  if (isWebSocket) {
    return { kind: 'webSocket', ...reached };
  }
  const transport = launch.type === 'sse' ? ('sse' as const) : undefined;
  return { kind: 'http', ...reached, ...withoutUndefined({ socketPath, transport }) };
}

interface Reached {
  readonly url: URL;
  readonly socketPath?: string;
}

/** Errors do not repeat the text: a variable may have put a secret into it. */
async function parseUrl(server: ServerConfig, text: string, platform: Platform): Promise<Reached> {
  const isUnbroken = !/[\s\p{Cc}]/u.test(text);
  const socket = await inField(server, 'url', () => {
    const address = isUnbroken ? readSocketUrl(text) : undefined;
    if (address !== undefined) {
      checkSocketPlatform(address, platform);
    }
    return address;
  });
  if (socket !== undefined) {
    return socket;
  }
  // The URL parser silently removes blanks and line breaks; here they are a mistake or an attack.
  const url = isUnbroken && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^(?:https?|wss?):$/u.test(url.protocol)) {
    throw invalidField(
      server,
      'url',
      t(
        'must be an absolute URL without spaces: {0}',
        t('{0} or {1}', 'http://, https://, ws://, wss://, unix:///', 'pipe:///'),
      ),
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidField(
      server,
      'url',
      t('must not hold a user name or password: put them into the header `Authorization`'),
    );
  }
  return { url };
}

function checkHeaderValue(server: ServerConfig, name: string, value: string): void {
  const field = `headers.${name}`;
  if (/[\r\n]/u.test(value)) {
    throw invalidField(
      server,
      field,
      t('must not hold a line break: was it pasted with the value?'),
    );
  }
  // RFC 9110 section 5.5: visible ASCII, blank, tab, and bytes above; here each character is one byte.
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/u.test(value)) {
    throw invalidField(server, field, t('holds a character that no header can carry'));
  }
}

/** The variables of an envFile. Values are literal: nothing in them is expanded. */
export function parseEnvFile(text: string): Readonly<Record<string, string>> {
  // Without `fast` the package uses an expression that takes quadratic time on runs of blanks.
  return parse(text, { fast: true });
}
