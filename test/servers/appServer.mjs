// A server whose tools have apps: each page in the folder apps is a tool. It writes down which tools are called. The tool
// patient has its result, the time, when the tool release is called. The tool glance has the page of talk, and only reads.
// The page of the tool stuck never comes.
//   CALLS      the file with the names of the tools that are called
//   ELSEWHERE  the origin of a site that apps must not reach, put into the pages for {{elsewhere}}
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { initializeResult, Refusal, serveAnswers } from './lines.mjs';

const folder = path.join(import.meta.dirname, 'apps');
const { CALLS, ELSEWHERE = '' } = process.env;
/** What is no file of its own. */
const made = {
  glance: () => page('talk'),
  stuck: () => new Promise(() => undefined),
};
/** What pages declare. */
const uis = {
  outside: {
    csp: {
      connectDomains: ['https://one.example', 'https://two.example', 'https://no.example'],
      // More than the tab has room for.
      resourceDomains: Array.from({ length: 100 }, (_, at) => `https://${'a.'.repeat(120)}n${at}`),
      frameDomains: ['https://last.example'],
    },
  },
  patient: { prefersBorder: true, permissions: { clipboardWrite: {} } },
};
const pages = [
  ...readdirSync(folder).map((name) => path.basename(name, '.html')),
  ...Object.keys(made),
];

/** With the time when it was made. */
const result = (text) => ({ content: [{ type: 'text', text }], _meta: { at: Date.now() } });

let giveResult = () => undefined;

const page = (name) => readFileSync(path.join(folder, `${name}.html`), 'utf8');

const tool = (name, ui) => ({
  name,
  ...(name === 'glance' && { annotations: { readOnlyHint: true } }),
  inputSchema: { type: 'object' },
  _meta: { ui },
});

serveAnswers({
  initialize: () => initializeResult({ capabilities: { tools: {}, resources: {} } }),
  'tools/list': () => ({
    tools: [
      ...pages.map((name) => tool(name, { resourceUri: `ui://pages/${name}` })),
      tool('report', { visibility: ['app'] }),
      tool('release', { visibility: ['app'] }),
      tool('plan', { visibility: ['model'] }),
    ],
  }),
  'tools/call': ({ name, arguments: input = {} }) => {
    if (CALLS !== undefined) appendFileSync(CALLS, `${name}\n`);
    if (name === 'patient') {
      return new Promise((resolve) => {
        giveResult = () => resolve(result(String(Date.now())));
      });
    }
    if (name === 'release') giveResult();
    return result(`The result of ${name} ${JSON.stringify(input)}`);
  },
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': async ({ uri }) => {
    const name = uri.replace('ui://pages/', '');
    if (!pages.includes(name)) throw new Refusal(-32_002, 'Resource not found');
    const text = await (made[name] ?? (() => page(name)))();
    return {
      contents: [
        {
          uri,
          mimeType: 'text/html;profile=mcp-app',
          text: text.replaceAll('{{elsewhere}}', ELSEWHERE),
          _meta: { ui: uis[name] },
        },
      ],
    };
  },
});
