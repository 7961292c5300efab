// The text of docs/settings.md and docs/commands.md, from package.json, package.nls.json and the constants of limits, and
// of docs/rules.md with what names of tests say.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/project.mjs';
import { commandGroups } from './commandGroups.mjs';
import { rulesPage } from './rules.mjs';

const read = (file) => readFileSync(path.join(root, file), 'utf8');
const { contributes, capabilities } = JSON.parse(read('package.json'));
const texts = JSON.parse(read('package.nls.json'));
const settings = contributes.configuration.properties;

/** The page that says more about a setting, or about a field of an entry in `mcpHost.servers`. */
const pages = {
  'mcpHost.servers': 'configuring-servers.md',
  'mcpHost.inputs': 'configuring-servers.md#inputs',
  'mcpHost.oauth.clientMetadataUrl': 'signing-in.md#hosting-the-client-metadata-document',
  'mcpHost.trustedServers': 'tools.md#before-a-tool-runs',
  'mcpHost.chat.maxTools': 'tools.md#which-tools-models-get',
  'mcpHost.resources.layout': 'resources.md',
  'mcpHost.toolPresets': 'tools.md#which-tools-models-get',
  'mcpHost.bridge.enabled': 'chat.md',
  'mcpHost.bridge.confirmation': 'chat.md#agent-tools',
  'mcpHost.apps.enabled': 'apps.md#switching-it-off',
  'mcpHost.apps.domains': 'apps.md#which-sites-apps-may-reach',
  'mcpHost.skills.enabled': 'skills.md#switching-them-off',
  'mcpHost.history.enabled': 'history.md',
  'mcpHost.history.days': 'history.md',
  'mcpHost.extensions': 'configuring-servers.md#extensions-of-the-protocol',
  'mcpHost.follow': 'import.md#following-instead-of-copying',
  'mcpHost.rules': 'tools.md#rules',
  'mcpHost.registryUrls': 'adding-servers.md',
  'mcpHost.npmRegistryUrl': 'adding-servers.md',
  'mcpHost.pypiUrl': 'adding-servers.md',
  'mcpHost.inspector.keepMessages': 'troubleshooting.md#messages-of-a-server',
  'mcpHost.security.allowInsecureLoopbackTls': 'configuring-servers.md#certificates-and-proxies',
  type: 'configuring-servers.md#how-a-server-is-reached',
  url: 'configuring-servers.md#how-a-server-is-reached',
  oauth: 'signing-in.md',
  tls: 'configuring-servers.md#certificates-and-proxies',
  proxy: 'configuring-servers.md#certificates-and-proxies',
  timeouts: 'configuring-servers.md#limits-of-time',
  limits: 'configuring-servers.md#limits',
  protocol: 'configuring-servers.md#revisions',
  elicitation: 'server-questions.md',
  sampling: 'server-questions.md#when-a-server-wants-a-language-model',
  bridge: 'chat.md',
  apps: 'apps.md',
  skills: 'skills.md',
  sandbox: 'configuring-servers.md#sandbox',
  dev: 'configuring-servers.md#while-you-develop-a-server',
};

/** What the schema of an entry cannot say, and the constant in `src` that bounds it. */
const bounds = [
  ['an entry, as JSON', 'characters', 'host/config/parseConfig.ts', 'maxEntryChars'],
  ['`envFile`', 'characters', 'host/launch/launchContext.ts', 'maxEnvFileChars'],
  [
    'all certificates in `tls.ca`',
    'characters',
    'host/launch/resolveConnection.ts',
    'maxAuthorityChars',
  ],
  ['any file that an entry names', 'bytes', 'host/config/textFile.ts', 'maxFileBytes'],
];

const places = {
  application: 'your user settings; no workspace can write it',
  window: 'your user settings, those of a remote machine or of the workspace',
  resource: 'your user settings, those of a remote machine, of the workspace or of a folder',
};

/** The text of each page by its path from the root. */
export function references() {
  return {
    'docs/settings.md': settingsPage(),
    'docs/commands.md': commandsPage(),
    'docs/rules.md': rulesPage(read('docs/rules.md')),
  };
}

function settingsPage() {
  const names = Object.keys(settings).toSorted(
    (one, other) => (settings[one].order ?? 99) - (settings[other].order ?? 99),
  );
  const untrusted = capabilities.untrustedWorkspaces.restrictedConfigurations;
  return page([
    '# Settings',
    origin,
    'The settings of MCP Host, with the fields of a server. [Configuring servers](configuring-servers.md) explains them.',
    table(
      ['setting', 'default'],
      names.map((name) => [`[\`${name}\`](#${anchor(name)})`, defaultOf(settings[name])]),
    ),
    `In Restricted Mode these settings of a workspace are not read: ${untrusted.map(code).join(', ')}.`,
    ...names.flatMap((name) => settingSection(name, settings[name])),
  ]);
}

function settingSection(name, schema) {
  const entry = schema.properties ? schema : (schema.additionalProperties ?? schema.items ?? {});
  return [
    `## ${code(name)}`,
    paragraphsOf(schema).join('\n\n'),
    [
      `- Type: ${typeOf(schema)}`,
      ...meaningsOf(schema).map((meaning) => `  - ${meaning}`),
      `- Default: ${defaultOf(schema) || 'none'}`,
      ...listed('Limits', limitsOf(schema)),
      ...listed('Names', schema.propertyNames ? limitsOf(schema.propertyNames) : ''),
      `- Place: ${places[schema.scope]}`,
      ...listed('More', link(name)),
    ].join('\n'),
    ...(entry.properties ? fieldSections(name, entry) : []),
  ];
}

/** What has the fields of a setting. */
const owners = {
  'mcpHost.servers': 'a server',
  'mcpHost.inputs': 'an input',
  'mcpHost.rules': 'a rule',
  'mcpHost.apps.domains': 'the domains',
};

/** The fields of an entry of this setting, or of the setting itself, then those of each field that is an object. */
function fieldSections(setting, entry) {
  const isServer = setting === 'mcpHost.servers';
  return [
    `### Fields of ${owners[setting]}`,
    fieldTable(entry, isServer ? pages : {}),
    ...rulesOf(entry),
    ...Object.entries(entry.properties).flatMap(([name, schema]) => nestedSections(name, schema)),
    ...(isServer ? [boundsSection()] : []),
  ];
}

function nestedSections(name, schema) {
  const object = [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties);
  if (object === undefined) return [];
  return [
    `#### ${code(name)}`,
    fieldTable(object, {}),
    ...rulesOf(object),
    ...Object.entries(object.properties).flatMap(([inner, innerSchema]) =>
      nestedSections(`${name}.${inner}`, innerSchema),
    ),
  ];
}

function fieldTable({ properties, dependencies = {}, required = [] }, linked) {
  return table(
    ['field', 'meaning', 'type', 'default', 'limits'],
    Object.entries(properties).map(([name, schema]) => [
      code(name),
      [
        ...paragraphsOf(schema),
        ...meaningsOf(schema),
        ...(linked[name] ? [`More: ${link(name)}`] : []),
      ].join('<br>'),
      typeOf(schema),
      defaultOf(schema),
      [
        ...(required.includes(name) ? ['Required.'] : []),
        ...(dependencies[name] ? [`Only with ${dependencies[name].map(code).join(', ')}.`] : []),
        limitsOf(schema),
      ]
        .filter(Boolean)
        .join(' '),
    ]),
  );
}

/** What the schema demands of several fields together; of one, its row says it. */
function rulesOf(schema) {
  const messages = new Set();
  const collect = (part) => {
    if (part === null || typeof part !== 'object') return;
    if (typeof part.errorMessage === 'string') messages.add(plain(part.errorMessage));
    for (const [name, inner] of Object.entries(part)) {
      if (name !== 'properties') collect(inner);
    }
  };
  collect(schema.allOf ?? []);
  return messages.size === 0 ? [] : [[...messages].map((message) => `- ${message}`).join('\n')];
}

function boundsSection() {
  return [
    '#### Limits without a field',
    table(
      ['what', 'at most'],
      bounds.map(([what, unit, file, name]) => [what, `${number(constant(file, name))} ${unit}`]),
    ),
    'What a server sends has limits, too: [Limits](limits.md) lists them all.',
  ].join('\n\n');
}

/** A product of whole numbers, as the source has it. */
function constant(file, name) {
  const [, product] =
    new RegExp(`const ${name} = ([\\d_* ]+);`, 'u').exec(read(`src/${file}`)) ?? [];
  if (product === undefined) throw new Error(`src/${file} has no constant ${name}`);
  return product
    .split('*')
    .reduce((result, factor) => result * Number(factor.replaceAll('_', '')), 1);
}

function paragraphsOf(schema) {
  const key = schema.markdownDescription ?? schema.description;
  return key === undefined ? [] : plain(key).split('\n\n');
}

/** What each value that may stand there means. */
function meaningsOf(schema) {
  const alternatives = schema.anyOf ?? [];
  return [
    ...[schema, schema.items ?? {}, ...alternatives].flatMap((part) =>
      (part.markdownEnumDescriptions ?? part.enumDescriptions ?? []).map(
        (text, index) => `${value(part.enum[index])}: ${plain(text)}`,
      ),
    ),
    ...alternatives
      .filter((part) => part.markdownDescription && !('const' in part))
      .map((part) => `${typeOf(part)}: ${plain(part.markdownDescription)}`),
  ];
}

function typeOf(schema) {
  if (schema.anyOf ?? schema.oneOf) return (schema.anyOf ?? schema.oneOf).map(typeOf).join(' or ');
  if ('const' in schema) return value(schema.const);
  if (schema.enum) return schema.enum.map(value).join(', ');
  if (Array.isArray(schema.type)) return schema.type.join(', ');
  if (schema.type === 'array') {
    const inner = typeOf(schema.items);
    return schema.items.enum ? `list of ${inner}` : `list of ${inner}s`;
  }
  if (schema.type === 'object' && schema.additionalProperties) {
    return schema.additionalProperties.properties
      ? 'object, entries by name'
      : `object by name: ${typeOf(schema.additionalProperties)}`;
  }
  return schema.type;
}

/** Sentences. */
function limitsOf(schema) {
  const parts = [schema, ...(schema.anyOf ?? [])];
  const bound = (rule, say) =>
    parts.filter((part) => rule in part).map((part) => `${say} ${number(part[rule])}`);
  const numbers = [
    ...bound('minimum', 'at least'),
    ...bound('exclusiveMinimum', 'more than'),
    ...bound('maximum', 'at most'),
  ].join(', ');
  const sentences = [
    ...(numbers ? [`${numbers[0].toUpperCase()}${numbers.slice(1)}.`] : []),
    ...bound('minItems', 'Items of the list: at least').map((text) => `${text}.`),
    ...parts.flatMap(({ patternErrorMessage: key }) => (key === undefined ? [] : [plain(key)])),
  ];
  return [...new Set(sentences)].join(' ');
}

const defaultOf = (schema) => (schema.default === undefined ? '' : value(schema.default));
const value = (json) => code(typeof json === 'number' ? number(json) : JSON.stringify(json));
const number = (count) => count.toLocaleString('en-US');
const code = (text) => `\`${text}\``;
const listed = (title, text) => (text ? [`- ${title}: ${text}`] : []);
/** As GitHub and VS Code make it of a heading. */
const anchor = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** To the page or the part of it, by its heading. */
function link(name) {
  const to = pages[name];
  if (to === undefined) return '';
  const [file, part] = to.split('#');
  const headings = [...read(`docs/${file}`).matchAll(/^#+ (.+)$/gmu)].map(([, text]) => text);
  const heading = part === undefined ? headings[0] : headings.find((text) => anchor(text) === part);
  if (heading === undefined) throw new Error(`docs/${file} has no part ${part}`);
  return `[${heading.replaceAll('`', '')}](${to})`;
}

/** The text that a `%key%` stands for; the settings editor's links as links of the page. */
function plain(key) {
  const text = /^%.*%$/u.test(key) ? texts[key.slice(1, -1)] : key;
  if (text === undefined) throw new Error(`package.nls.json has no ${key}`);
  return text.replaceAll(/`#([\w.]+)#`/gu, (_whole, name) =>
    name in settings ? `[${code(name)}](#${anchor(name)})` : code(name),
  );
}

function commandsPage() {
  const commands = contributes.commands.filter(({ command }) => placesOf(command).length > 0);
  const described = commandGroups.flatMap(({ commands: group }) => Object.keys(group));
  const wrong = [
    ...commands.filter(({ command }) => !described.includes(command)).map(({ command }) => command),
    ...described.filter((id) => !commands.some(({ command }) => command === id)),
  ];
  if (wrong.length > 0) {
    throw new Error(
      `scripts/docs/commandGroups.mjs and package.json differ in ${wrong.join(', ')}`,
    );
  }
  const row = ([id, does]) => {
    const { title } = commands.find(({ command }) => command === id);
    return [plain(title), does, placesOf(id).join(', '), code(id)];
  };
  return page([
    '# Commands',
    origin,
    'Commands of the palette begin with **MCP Host:** there. Some are there only while there is something to do. _View_ is the menu of the **MCP** view, _row_ a line in it, _editor_ the title of a document.',
    ...commandGroups.flatMap(({ title, commands: group }) => [
      `## ${title}`,
      table(['command', 'what it does', 'where', 'id'], Object.entries(group).map(row)),
    ]),
  ]);
}

function placesOf(id) {
  const { commandPalette, ...menus } = contributes.menus;
  const names = {
    'view/title': 'view',
    'view/item/context': 'row',
    'editor/title': 'editor',
    'editor/context': 'editor',
    'explorer/context': 'explorer',
  };
  const isHidden = commandPalette.some(({ command, when }) => command === id && when === 'false');
  return [
    ...(isHidden ? [] : ['palette']),
    ...Object.keys(menus)
      .filter((menu) => menus[menu].some(({ command }) => command === id))
      .map((menu) => names[menu] ?? menu),
  ];
}

const origin =
  '<!-- `npm run docs` writes this page from package.json, package.nls.json and scripts/docs. Do not change it by hand. -->';

const tableRow = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

function table(headers, rows) {
  return [tableRow(headers), tableRow(headers.map(() => '---')), ...rows.map(tableRow)].join('\n');
}

const page = (blocks) => `${blocks.filter(Boolean).join('\n\n')}\n`;
