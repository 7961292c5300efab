// A stdio server with resources of every shape: several parts, templates with completion, ones that change when a
// tool is called, ones for people alone.
import { initializeResult, Refusal, send, serveAnswers } from './lines.mjs';

// A blue square on white, 64 by 64 pixels.
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAWUlEQVR42u3aQQ0AMAgEQfxgsS4riKoggXQua2D+F7V8AQAAAADQAshzRwUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0Afw2AIAAAD4AvAARWc2/wq8F4EAAAAASUVORK5CYII=';

let version = 1;
const journal = () =>
  Array.from({ length: version }, (_, n) => `Entry ${n + 1}: the tide came in.\n`).join('');

const resources = [
  { uri: 'demo://journal/today.md', name: 'today.md', title: 'Journal', mimeType: 'text/markdown' },
  { uri: 'demo://reports/album', name: 'album', title: 'Album', description: 'Text and picture' },
  {
    uri: 'demo://private/diary.txt',
    name: 'diary.txt',
    title: 'Diary',
    mimeType: 'text/plain',
    annotations: { audience: ['user'], priority: 1 },
  },
];

const resourceTemplates = [
  {
    uriTemplate: 'demo://tables/{table}/rows/{id}{?columns*}',
    name: 'row',
    title: 'Row of a Table',
    description: 'One row, or some of its columns',
    mimeType: 'application/json',
  },
];

const suggestions = {
  table: () => ['cities', 'countries'],
  // What fits depends on the table chosen before.
  id: ({ table }) => (table === 'cities' ? ['lisbon', 'london'] : ['portugal']),
};

function contentsOf(uri) {
  const row = /^demo:\/\/tables\/(\w+)\/rows\/(\w+)(\?.*)?$/.exec(uri);
  if (row !== null) {
    const [, table, id, query = ''] = row;
    const text = `${JSON.stringify({ table, id, query }, undefined, 2)}\n`;
    return [{ uri, mimeType: 'application/json', text }];
  }
  switch (uri) {
    case 'demo://journal/today.md':
      return [{ uri, mimeType: 'text/markdown', text: journal() }];
    case 'demo://reports/album':
      return [
        { uri: `${uri}/story.txt`, mimeType: 'text/plain', text: 'A blue square.\n' },
        { uri: `${uri}/square.png`, mimeType: 'image/png', blob: picture },
        { uri: `${uri}/facts.json`, mimeType: 'application/json', text: '{ "sides": 4 }' },
      ];
    case 'demo://private/diary.txt':
      return [{ uri, mimeType: 'text/plain', text: 'For my eyes alone.\n' }];
    default:
      return undefined;
  }
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const tools = {
  write: {
    description: 'Adds an entry to the journal',
    annotations: { readOnlyHint: true },
    run: () => {
      version += 1;
      const params = { uri: 'demo://journal/today.md' };
      send({ method: 'notifications/resources/updated', params });
      return text(`Entry ${version} is written`);
    },
  },
};

const block = (value, annotations) => ({
  role: 'user',
  content: { type: 'text', text: value, ...(annotations === undefined ? {} : { annotations }) },
});
const messages = [
  block('Sum up the journal.'),
  block('Only the author should read this line.', { audience: ['user'] }),
  {
    role: 'user',
    content: { type: 'resource_link', uri: 'demo://reports/album', name: 'album', title: 'Album' },
  },
  {
    role: 'user',
    content: {
      type: 'resource',
      resource: { uri: 'demo://found/note.md', mimeType: 'text/markdown', text: '# Found\n' },
    },
  },
];

serveAnswers({
  initialize: () =>
    initializeResult({
      serverInfo: { name: 'documents', title: 'Documents', version: '1.0.0' },
      capabilities: {
        tools: {},
        prompts: {},
        completions: {},
        resources: { subscribe: true, listChanged: true },
      },
    }),
  'tools/list': () => ({
    tools: Object.entries(tools).map(([name, { description, annotations }]) => ({
      name,
      description,
      annotations,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    })),
  }),
  'tools/call': ({ name }) => tools[name].run(),
  'prompts/list': () => ({ prompts: [{ name: 'summary', title: 'Summary' }] }),
  'prompts/get': () => ({ messages }),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates }),
  'resources/read': ({ uri }) => {
    const contents = contentsOf(uri);
    if (contents === undefined) throw new Refusal(-32002, 'No such resource', { uri });
    return { contents };
  },
  'completion/complete': ({ argument, context }) => {
    const values = suggestions[argument.name]?.(context?.arguments ?? {}) ?? [];
    return { completion: { values: values.filter((value) => value.startsWith(argument.value)) } };
  },
});
