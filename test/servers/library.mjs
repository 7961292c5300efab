// A stdio server with a few hundred resources in folders, in two pages: some with size and annotations, some named
// badly, one folder with very many. Its environment says more:
//   RELEASE=<file>   gives the second page only once the file is there
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { initializeResult, serveAnswers } from './lines.mjs';

const { RELEASE = '' } = process.env;
const firstPage = 40;

// Squares of 16 by 16 pixels, and a circle.
const red =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAHElEQVR42mNgGDTgjpH+f1LwqAGjBgxXAwYMAACbo0HQ0UGLcwAAAABJRU5ErkJggg==';
const blue =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAHElEQVR42mNgGDRArfvSf1LwqAGjBgxXAwYMAADs5GkwOtOGpgAAAABJRU5ErkJggg==';
const circle = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="#859900"/></svg>',
).toString('base64')}`;
const noImage = `data:image/svg+xml;base64,${Buffer.from(
  '<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>',
).toString('base64')}`;

const chapters = Array.from({ length: 30 }, (_, n) => ({
  uri: `file:///srv/handbook/chapters/chapter-${n + 1}.md`,
  name: `chapter-${n + 1}.md`,
  mimeType: 'text/markdown',
}));
const archive = Array.from({ length: 1_234 }, (_, n) => ({
  uri: `demo://archive/2024/entry-${n + 1}`,
  name: `entry-${n + 1}`,
}));

const resources = [
  {
    uri: 'file:///srv/handbook/README.md',
    name: 'readme',
    title: 'The Handbook',
    description: 'How things are done here',
    mimeType: 'text/markdown',
    size: 12_345,
    annotations: {
      audience: ['user', 'assistant'],
      priority: 0.8,
      lastModified: '2025-03-04T10:20:30Z',
    },
  },
  { uri: 'file:///srv/handbook/caf%C3%A9/menu.txt', name: ' ', title: '\t', size: 1 },
  {
    uri: 'file:///srv/handbook/caf%C3%A9/odd.txt',
    name: 'odd',
    size: 'big',
    annotations: { priority: 7 },
  },
  ...chapters,
  ...archive,
];

async function list(from) {
  const isReleased = () => from === 0 || RELEASE === '' || existsSync(RELEASE);
  while (!isReleased()) await delay(50);
  const to = from === 0 ? firstPage : resources.length;
  return { resources: resources.slice(from, to), ...(from === 0 && { nextCursor: 'rest' }) };
}

const inputSchema = { type: 'object' };

serveAnswers({
  initialize: () =>
    initializeResult({
      serverInfo: {
        name: 'library',
        version: '1.0.0',
        icons: [
          { src: blue, theme: 'light' },
          { src: red, theme: 'dark' },
        ],
      },
    }),
  'resources/list': ({ cursor }) => list(cursor === 'rest' ? firstPage : 0),
  'resources/read': ({ uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: `This is ${uri}\n` }],
  }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'tools/list': () => ({
    tools: [
      {
        name: 'lend',
        description: 'Lends a book',
        inputSchema,
        icons: [{ src: circle, sizes: ['any'] }],
      },
      {
        name: 'return',
        description: 'Takes a book back',
        inputSchema,
        icons: [{ src: noImage }],
      },
    ],
  }),
  'prompts/list': () => ({ prompts: [] }),
});
