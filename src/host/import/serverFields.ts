/**
 * Names of server fields in other programs, and their counterparts here. One table for all programs: a name that two of
 * them use means the same, except for the differences in ProgramRules.
 */
import { t } from '../../base/l10n.ts';
import { isObject, isString, type JsonObject } from '../../base/json.ts';
import { typeName } from '../config/entryReader.ts';
import type { ServerDraft } from './serverDraft.ts';

/** Converts a field into the draft, or adds a problem to it. */
type FieldHandler = (draft: ServerDraft, value: unknown, field: string) => void;

const maxRequestSeconds = 3600;
const maxTotalSeconds = 21_600;
const defaultTotalSeconds = 600;

/** Our own fields: in a pasted text, an install link, or a setting of ours. */
const ownFields = [
  'startup',
  'timeouts',
  'limits',
  'roots',
  'protocol',
  'elicitation',
  'sampling',
  'apps',
  'skills',
  'bridge',
  'tls',
  'proxy',
  'sandbox',
  'pinFiles',
];

/** Fields of all programs, by name. */
const fieldHandlers: ReadonlyMap<string, FieldHandler> = new Map<string, FieldHandler>([
  ['type', setType],
  ['transport', setType],
  ['transportType', setType],
  ['command', take('command')],
  ['args', take('args')],
  ['arguments', take('args')],
  ['env', setEnv],
  ['envFile', take('envFile')],
  ['cwd', take('cwd')],
  ['workingDirectory', take('cwd')],
  ['url', setUrl],
  ['serverUrl', take('url')],
  ['httpUrl', take('url')],
  ['headers', mergeTexts('headers')],
  ['http_headers', mergeTexts('headers')],
  ['env_http_headers', setHeadersFromEnvironment],
  ['bearer_token_env_var', setBearer((_draft, name) => `\${env:${name}}`)],
  ['bearer_token', setBearer(translatedToken)],
  ['apiKey', setBearer(translatedToken)],
  ['requestOptions', fieldsOf(() => requestOptions)],
  ['sandboxEnabled', setSandbox],
  ['disabled', setEnabled(false)],
  ['isActive', setEnabled(true)],
  ['enabled', setEnabled(true)],
  ['timeout', setTimeouts],
  ['tool_timeout_sec', setSeconds('requestSeconds', 1)],
  ['startup_timeout_sec', setSeconds('startSeconds', 1)],
  ['startup_timeout_ms', setSeconds('startSeconds', 1000)],
  ['connectionTimeout', setSeconds('startSeconds', 1000)],
  ['oauth', setOauth],
  ['auth', setOauth],
  ['dev', take('dev')],
  ...ownFields.map((field) => [field, take(field)] as const),
  ['name', () => undefined],
]);

/** Fields without counterpart, and what we have instead. */
const asks = (): string => t('each tool asks before its first call');
const instead: ReadonlyMap<string, () => string> = new Map([
  ['autoApprove', asks],
  ['alwaysAllow', asks],
  ['trust', asks],
  ['default_tools_approval_mode', asks],
  [
    'headersHelper',
    () => t('no program is run for headers; write them to `headers`, with `${input:…}`'),
  ],
  ['env_vars', () => t('servers get the environment of the editor')],
  ['verifySsl', () => t('certificates are checked; name the authority of the server in `tls.ca`')],
  ['noProxy', () => t('`proxy` of an entry is for its server alone')],
]);

/** Reads all fields of a server. */
export function readServer(draft: ServerDraft, server: JsonObject): void {
  const left: string[] = [];
  for (const [field, value] of Object.entries(server)) {
    if (value === undefined || (value === null && field !== 'env')) {
      continue;
    }
    if (fieldHandlers.has(field) || instead.has(field)) {
      readField(draft, field, value, fieldHandlers);
    } else {
      left.push(`\`${field}\``);
    }
  }
  if (left.length > 0) {
    draft.problems.add(t('not supported here, and left out: {0}', left.join(', ')));
  }
}

/** @param prefix of the field, for messages */
function readField(
  draft: ServerDraft,
  field: string,
  value: unknown,
  handlers: ReadonlyMap<string, FieldHandler>,
  prefix = '',
): void {
  const handler = handlers.get(field);
  if (handler === undefined) {
    const why = instead.get(field)?.() ?? t('it is not supported here');
    draft.problem(`${prefix}${field}`, t('is left out: {0}', why));
  } else {
    handler(draft, value, field);
  }
}

/** A field that holds other fields. */
function fieldsOf(handlers: () => ReadonlyMap<string, FieldHandler>): FieldHandler {
  return (draft, value, field) => {
    for (const [name, inner] of Object.entries(isObject(value) ? value : {})) {
      readField(draft, name, inner, handlers(), `${field}.`);
    }
  };
}

/** Those of our entries without a type. */
const defaultTypes =
  /^(?:stdio|local|http|remote|streamable-http|streamableHttp|streamable_http)$/u;
const otherTypes: ReadonlyMap<unknown, string> = new Map([
  ['sse', 'sse'],
  ['ws', 'websocket'],
  ['websocket', 'websocket'],
]);

function take(target: string): FieldHandler {
  return (draft, value) => draft.set(target, draft.translated(target, value));
}

/** VS Code's field for a sandbox. */
function setSandbox(draft: ServerDraft, value: unknown): void {
  if (value === true) {
    draft.set('sandbox', true);
  }
}

/** Continue's field for headers and connection settings. */
const requestOptions: ReadonlyMap<string, FieldHandler> = new Map<string, FieldHandler>([
  ['headers', mergeTexts('headers')],
  ['proxy', take('proxy')],
  ['caBundlePath', (draft, value) => draft.merge('tls', { ca: draft.translated('tls.ca', value) })],
  ['clientCertificate', mergeTexts('tls')],
]);

function mergeTexts(target: string): FieldHandler {
  return (draft, value) => {
    if (!isObject(value)) {
      draft.set(target, value);
      return;
    }
    const translated = draft.translated(target, value);
    draft.merge(target, isObject(translated) ? translated : {});
  };
}

function setEnv(draft: ServerDraft, value: unknown): void {
  if (value !== null) {
    mergeTexts('env')(draft, value, 'env');
  }
}

function setType(draft: ServerDraft, value: unknown, field: string): void {
  const type = otherTypes.get(value);
  if (type !== undefined) {
    draft.set('type', type);
  } else if (draft.rules.urlMeansSse === true && isString(value) && /http/iu.test(value)) {
    draft.set('type', 'http');
  } else if (isObject(value)) {
    // `transport: { type, command, … }`, as in older files of Continue and Cline.
    fieldsOf(() => fieldHandlers)(draft, value, field);
  } else if (!isString(value) || !defaultTypes.test(value)) {
    draft.problem(
      field,
      t(
        '{0} is not a known transport, and is left out',
        isString(value) ? JSON.stringify(value) : typeName(value),
      ),
    );
  }
}

function setUrl(draft: ServerDraft, value: unknown): void {
  if (draft.has('url')) {
    // Gemini CLI prefers `httpUrl`.
    draft.problem('url', t('is left out: another field has the URL'));
    return;
  }
  take('url')(draft, value, 'url');
  if (draft.rules.urlMeansSse === true && isString(value) && !draft.has('type')) {
    draft.set('type', 'sse');
  }
}

function setHeadersFromEnvironment(draft: ServerDraft, value: unknown, field: string): void {
  if (!isObject(value)) {
    draft.problem(field, t('must be an object, not {0}', typeName(value)));
    return;
  }
  for (const [header, name] of Object.entries(value)) {
    draft.merge('headers', { [header]: `\${env:${String(name)}}` });
  }
}

/** @param tokenOf the token for the text of the field */
function setBearer(
  tokenOf: (draft: ServerDraft, text: string, field: string) => string,
): FieldHandler {
  return (draft, value, field) => {
    if (isString(value)) {
      draft.merge('headers', { Authorization: `Bearer ${tokenOf(draft, value, field)}` });
    } else {
      draft.problem(field, t('must be a text, not {0}', typeName(value)));
    }
  };
}

function translatedToken(draft: ServerDraft, text: string, field: string): string {
  return String(draft.translated(field, text));
}

/** @param on the meaning of `true` */
function setEnabled(on: boolean): FieldHandler {
  return (draft, value, field) => {
    if (typeof value !== 'boolean') {
      draft.problem(field, t('must be true or false, not {0}', typeName(value)));
    } else if (value !== on) {
      draft.set('enabled', false);
    }
  };
}

function setTimeouts(draft: ServerDraft, value: unknown, field: string): void {
  if (draft.rules.timeoutUnit === undefined) {
    draft.problem(field, t('is left out: its unit is not known; `timeouts` holds ours'));
  } else {
    const divisor = draft.rules.timeoutUnit === 'milliseconds' ? 1000 : 1;
    setSeconds('requestSeconds', divisor)(draft, value, field);
  }
}

/** @param divisor parts of a second in the field's unit */
function setSeconds(target: 'requestSeconds' | 'startSeconds', divisor: number): FieldHandler {
  return (draft, value, field) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
      draft.problem(field, t('is left out: it is not a number above 0'));
      return;
    }
    const seconds = value / divisor;
    draft.merge('timeouts', { [target]: Math.min(seconds, maxRequestSeconds) });
    if (target === 'requestSeconds' && seconds > defaultTotalSeconds) {
      draft.merge('timeouts', { totalSeconds: Math.min(seconds, maxTotalSeconds) });
    }
  };
}

const oauthFields: ReadonlyMap<string, FieldHandler> = new Map<string, FieldHandler>([
  ...['clientId', 'client_id', 'CLIENT_ID'].map(
    (name) => [name, setOauthField('clientId')] as const,
  ),
  ...['clientSecret', 'client_secret', 'CLIENT_SECRET'].map(
    (name) => [name, setOauthField('clientSecret')] as const,
  ),
  // Our own: other programs do not have them.
  ...[
    'grant',
    'clientMetadataUrl',
    'issuer',
    'provider',
    'dpop',
    'privateKey',
    'identityProvider',
    'assertion',
    'assertionFile',
  ].map((name) => [name, setOauthField(name)] as const),
  ['callbackPort', setOauthField('callbackPort')],
  ['scopes', setOauthField('scopes')],
  ['scope', setOauthField('scopes')],
  ['enabled', () => undefined],
]);

function setOauth(draft: ServerDraft, value: unknown, field: string): void {
  if (!isObject(value)) {
    draft.problem(field, t('is left out: the server says how to sign in'));
  } else if (value['enabled'] === false) {
    draft.set('oauth', false);
  } else {
    fieldsOf(() => oauthFields)(draft, value, field);
  }
}

function setOauthField(target: string): FieldHandler {
  return (draft, value) => {
    const translated = draft.translated(`oauth.${target}`, value);
    const isList = target === 'scopes' && isString(translated);
    const scopes = isList ? translated.split(/\s+/u).filter((scope) => scope !== '') : translated;
    draft.merge('oauth', { [target]: scopes });
  };
}
