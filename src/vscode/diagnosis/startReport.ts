/**
 * The report on a server that does not run, as Markdown. Foreign text in it is only data. It has no secrets: it leaves
 * out values of the environment, except PATH.
 */
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import type { Redactor } from '../../base/log.ts';
import type { LaunchInspection, ProgramInspection } from '../../host/launch/launchGate.ts';
import {
  type ShownCertificate,
  shareableProxy,
  shareableUrl,
} from '../../host/diagnosis/shareable.ts';
import { certificatesIn, subjectOf } from '../../host/launch/certificates.ts';
import { httpErrorIn, isRpcError, type McpError } from '../../mcp/errors.ts';
import { suggestionFor } from '../../host/diagnosis/suggestion.ts';
import { errorOf } from '../../host/servers/connectionState.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { ConnectionSettings } from '../../mcp/network/connectionSettings.ts';
import { fenced, inline } from '../text/contentMarkdown.ts';
import { scopeText } from '../config/scopeText.ts';
import { type ResultFile, safeFileName } from '../text/resultFiles.ts';
import { stateWords } from '../tree/stateDisplay.ts';

const maxText = 2_000;

export interface Found {
  /** What a start would run, or why that is unknown. */
  readonly launch: LaunchInspection | McpError;
  /** The rejected certificate. */
  readonly certificate?: ShownCertificate | undefined;
}

export function startReport(
  connection: Pick<ServerConnection, 'config' | 'state' | 'output'>,
  { launch, certificate }: Found,
  redactor: Redactor,
): ResultFile {
  const { config, state, output } = connection;
  const { strayOutput } = output;
  if (!('message' in launch)) {
    for (const secret of launch.secrets) {
      redactor.add(secret);
    }
  }
  const suggestion = suggestionFor({
    server: config,
    state,
    launch,
    strayOutput,
    isRemote: vscode.env.remoteName !== undefined,
  });
  const error = errorOf(state);
  const entryProblem = 'message' in launch ? launch.message : undefined;
  const lines = [
    `# ${vscode.l10n.t('Why does {0} not start?', inline(config.name))}`,
    '',
    suggestion === undefined
      ? `**${vscode.l10n.t('No problem is known.')}** ${vscode.l10n.t('State: {0}.', stateWords(state))}`
      : `**${vscode.l10n.t('Try this.')}** ${suggestion}`,
    '',
    ...section(vscode.l10n.t('What happened'), [
      ...fact(vscode.l10n.t('State'), stateWords(state)),
      ...fact(vscode.l10n.t('Entry'), entryProblem),
      // If the entry is wrong, the start failed with the same message.
      ...(error === undefined || error.message === entryProblem ? [] : ofError(error)),
      ...ofCertificate(certificate),
    ]),
    ...quoted(
      vscode.l10n.t('Last output on standard error'),
      'lastStderr' in state ? state.lastStderr : [],
    ),
    ...quoted(
      vscode.l10n.t('First line on standard output that was not a message'),
      strayOutput === undefined ? [] : [strayOutput],
    ),
    ...('message' in launch ? [] : ofLaunch(launch, redactor)),
    ...section(vscode.l10n.t('Where'), [
      ...fact(vscode.l10n.t('Settings'), scopeText(config.scope)),
      ...fact(vscode.l10n.t('Machine'), machine()),
      ...fact(vscode.l10n.t('Proxy'), proxies()),
      ...fact(
        vscode.l10n.t('Editor'),
        `${vscode.env.appName} ${vscode.version}, Node ${process.versions.node}`,
      ),
    ]),
  ];
  return {
    name: `${safeFileName(config.name)}-start.md`,
    bytes: Buffer.from(redactor.redact(lines.join('\n'))),
  };
}

/** Nothing without a value. */
function fact(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`- ${name}: ${inline(value, maxText)}`];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`## ${title}`, '', ...lines, ''];
}

function quoted(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : section(title, [fenced(lines.join('\n'))]);
}

function ofError(error: McpError): readonly string[] {
  const causes: string[] = [];
  const answer = httpErrorIn(error);
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    // The error may repeat the words of its cause.
    if (cause !== answer && !error.message.includes(cause.message)) {
      causes.push(cause.message);
    }
  }
  return [
    ...fact(vscode.l10n.t('Error'), error.message),
    ...causes.flatMap((cause) => fact(vscode.l10n.t('Because'), cause)),
    ...fact(vscode.l10n.t('JSON-RPC error'), isRpcError(error) ? `${error.rpcCode}` : undefined),
    ...fact(vscode.l10n.t('HTTP status'), answer && String(answer.status)),
    ...fact(vscode.l10n.t('Answer'), answer?.bodyExcerpt || undefined),
  ];
}

function ofCertificate(shown: ShownCertificate | undefined): readonly string[] {
  return shown === undefined
    ? []
    : [
        ...fact(vscode.l10n.t('Certificate of'), shown.subject),
        ...fact(vscode.l10n.t('Valid for'), shown.hosts ?? vscode.l10n.t('no host name')),
        ...fact(vscode.l10n.t('Issued by'), shown.issuer),
        ...fact(vscode.l10n.t('Valid until'), shown.validTo),
      ];
}

/** Redacts secrets before it reformats anything: in another form they would not be recognized. */
function ofLaunch({ launch, program }: LaunchInspection, redactor: Redactor): readonly string[] {
  if (launch.kind !== 'stdio') {
    return section(vscode.l10n.t('What the editor connects to'), [
      ...fact(vscode.l10n.t('URL'), shareableUrl(launch.url)),
      ...fact(vscode.l10n.t('Socket'), 'socketPath' in launch ? launch.socketPath : undefined),
      ...fact(vscode.l10n.t('Headers of the entry'), listed(Object.keys(launch.headers))),
      ...ofConnection(launch.connection),
    ]);
  }
  const args = launch.args.map((text) => JSON.stringify(redactor.redact(text)));
  return section(vscode.l10n.t('What is started'), [
    ...fact(vscode.l10n.t('Command'), redactor.redact(launch.command)),
    ...fact(vscode.l10n.t('Arguments'), args.join(' ') || undefined),
    ...(program === undefined ? [] : ofProgram(program, launch.cwd)),
  ]);
}

function ofConnection({ tls, proxy }: ConnectionSettings = {}): readonly string[] {
  const { ca, client, isInsecure } = tls ?? {};
  const always = vscode.l10n.t('those of Node and of the system');
  const authorities = (ca ?? []).map(certificateNames).join('; ');
  return [
    ...fact(vscode.l10n.t('Proxy of the entry'), proxyText(proxy)),
    ...fact(
      vscode.l10n.t('Authorities of the entry'),
      ca && vscode.l10n.t('{0}, in addition to {1}', authorities, always),
    ),
    ...fact(
      vscode.l10n.t('Client certificate of the entry'),
      client && certificateNames(client.cert),
    ),
    ...fact(
      vscode.l10n.t('Certificate of the server'),
      isInsecure && vscode.l10n.t('is not checked'),
    ),
  ];
}

function proxyText(proxy: ConnectionSettings['proxy']): string | undefined {
  if (proxy === false) {
    return vscode.l10n.t('none, not even the proxy of the editor');
  }
  return proxy?.authorization === undefined
    ? proxy?.origin
    : vscode.l10n.t('{0}, with user and password', proxy.origin);
}

/** The subjects of the certificates, and their expiry. */
function certificateNames(pem: string): string {
  return certificatesIn(pem)
    .map((each) => vscode.l10n.t('{0} (until {1})', subjectOf(each), each.validTo))
    .join('; ');
}

function ofProgram(program: ProgramInspection, cwd: string): readonly string[] {
  const { file, searched, isFolderThere, set, removed } = program;
  const none =
    searched.length > 0
      ? vscode.l10n.t('not found')
      : vscode.l10n.t('no executable file at this path');
  return [
    ...fact(vscode.l10n.t('Program'), file ?? none),
    ...fact(vscode.l10n.t('Searched'), searched.join(' ') || undefined),
    ...fact(
      vscode.l10n.t('Working directory'),
      isFolderThere ? cwd : vscode.l10n.t('{0} (does not exist)', cwd),
    ),
    ...fact(vscode.l10n.t('Variables that the entry sets'), listed(set)),
    ...fact(vscode.l10n.t('Variables that the entry removes'), listed(removed)),
  ];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? vscode.l10n.t('none') : names.join(', ');
}

function machine(): string {
  const { remoteName } = vscode.env;
  const where =
    remoteName === undefined
      ? vscode.l10n.t('this computer')
      : vscode.l10n.t('remote: {0}', remoteName);
  return `${hostname()} (${where}), ${process.platform} ${process.arch}`;
}

/** The proxies of the editor and the environment, without user and password. */
function proxies(): string {
  const setting = vscode.workspace.getConfiguration('http').get<string>('proxy', '');
  const named: readonly (readonly [string, string | undefined])[] = [
    ['http.proxy', setting],
    ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].map(
      (name) => [name, process.env[name] ?? process.env[name.toLowerCase()]] as const,
    ),
  ];
  const shown = named.flatMap(([name, value = '']) =>
    value === '' ? [] : [`${name} = ${shareableProxy(value)}`],
  );
  return shown.length === 0 ? vscode.l10n.t('none') : shown.join(', ');
}
