// A server whose every answer holds more than the specification names, for whatever stands between it
// and its client. The tool "received" gives back the messages that it was sent; "exit" ends it.
//   PIDS=<file>   appends its process id, one a line
//   BARE=1        declares nothing but tools
import { appendFileSync } from 'node:fs';
import { initializeResult, send, serve } from './lines.mjs';

const { BARE, PIDS } = process.env;
if (PIDS) {
  appendFileSync(PIDS, `${process.pid}\n`);
}

const received = [];
const refusal = (code, message, data) => Object.assign(new Error(message), { code, data });
let extraTools = [];

const noted = { _meta: { 'example.com/note': [1, { two: null }] } };
const extra = { ...noted, 'x-unknown': { deep: ['ü', 0.5] } };
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const page =
  (list, items) =>
  ({ cursor }) => {
    const start = Number(cursor ?? 0);
    if (!Number.isInteger(start) || start < 0 || start > items.length) {
      throw refusal(-32602, 'Invalid cursor', { cursor });
    }
    const more = start + 2 < items.length ? { nextCursor: String(start + 2) } : {};
    return { [list]: items.slice(start, start + 2), ...more, ...extra };
  };
const named = (count, toItem) => Array.from({ length: count }, (_, index) => toItem(`n${index}`));
const tool = (name) => ({
  name,
  title: `Tool ${name}`,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-hint': 1 } } },
  annotations: { readOnlyHint: true, 'x-more': true },
  icons: [{ src: 'data:image/png;base64,AA==', sizes: ['16x16'], theme: 'dark' }],
  execution: { taskSupport: 'optional' },
  ...extra,
});

const everything = {
  content: [
    { type: 'text', text: 'Grüße', annotations: { audience: ['user'], priority: 0.5 }, ...extra },
    { type: 'image', data: 'AA==', mimeType: 'image/png' },
    { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'x://1', name: 'one', size: 3, description: 'a link', ...extra },
    { type: 'resource', resource: { uri: 'x://2', blob: 'AA==', mimeType: 'a/b', ...extra } },
  ],
  structuredContent: { n: 1.5, nothing: null, list: [[]] },
  isError: false,
  ...extra,
};

const log = (level, data, logger) =>
  send({
    method: 'notifications/message',
    params: { level, data, ...(logger && { logger }), ...noted },
  });

const tools = {
  everything: () => everything,
  failing: () => ({ ...text('It failed'), isError: true }),
  refused() {
    throw refusal(-31999, 'No, thank you', { why: ['because'], code: 'E1' });
  },
  plainError() {
    throw refusal(-32603, 'Internal');
  },
  received: () => ({ content: [], structuredContent: { received } }),
  steps(_args, token, answer) {
    if (token !== undefined) {
      send({
        method: 'notifications/progress',
        params: { progressToken: token, progress: 0.5, ...noted },
      });
      const params = { progressToken: token, progress: 1, total: 2, message: 'half' };
      send({ method: 'notifications/progress', params });
    }
    answer(text('stepped'));
  },
  logs(_args, _token, answer) {
    log('debug', { deep: [1] }, 'core');
    log('info', 'plain');
    log('error', null, 'core');
    answer(text('logged'));
  },
  slow() {},
  change(_args, _token, answer) {
    extraTools = [...extraTools, tool(`new${extraTools.length}`)];
    for (const list of ['tools', 'prompts', 'resources']) {
      send({ method: `notifications/${list}/list_changed`, params: noted });
    }
    answer(text('changed'));
  },
  touch({ uri }, _token, answer) {
    send({ method: 'notifications/resources/updated', params: { uri, ...noted } });
    answer(text('touched'));
  },
  visit() {
    const data = {
      elicitations: [
        { mode: 'url', message: 'Sign in', elicitationId: 'e1', url: 'https://example.com/' },
      ],
    };
    throw refusal(-32042, 'Sign in first', data);
  },
  exit: () => process.exit(3),
};

const allTools = () => [...Object.keys(tools).map(tool), ...extraTools];

const answers = {
  initialize: () =>
    initializeResult({
      instructions: 'Use it\nwith care.',
      serverInfo: {
        name: 'passing',
        title: 'Passing On',
        version: '3.2.1',
        websiteUrl: 'https://example.com',
      },
      ...(BARE ? { capabilities: { tools: {} } } : {}),
    }),
  'tools/list': (params) => page('tools', allTools())(params),
  'prompts/list': page(
    'prompts',
    named(3, (name) => ({
      name,
      title: name,
      arguments: [{ name: 'who', required: true, ...extra }],
      ...extra,
    })),
  ),
  'resources/list': page(
    'resources',
    named(5, (name) => ({
      uri: `x://${name}`,
      name,
      size: 1,
      annotations: { priority: 1 },
      ...extra,
    })),
  ),
  'resources/templates/list': page(
    'resourceTemplates',
    named(3, (name) => ({ uriTemplate: `x://${name}/{id}`, name, ...extra })),
  ),
  'prompts/get': ({ name, arguments: args }) => {
    if (name === 'visit') tools.visit();
    if (name === 'unknown') {
      throw refusal(-32602, 'Unknown prompt', { name });
    }
    const content = { type: 'text', text: JSON.stringify(args ?? null), ...extra };
    return {
      description: name,
      messages: [
        { role: 'user', content },
        ...everything.content.map((block) => ({ role: 'assistant', content: block })),
      ],
      ...extra,
    };
  },
  'resources/read': ({ uri }) => {
    if (uri.endsWith('missing')) {
      throw refusal(-32002, 'Resource not found', { uri });
    }
    return {
      contents: [
        { uri, text: 'T', ...extra },
        { uri: `${uri}/b`, blob: 'AA==' },
      ],
      ...extra,
    };
  },
  'resources/subscribe': ({ uri }) => {
    if (uri.endsWith('missing')) {
      throw refusal(-32002, 'Nothing to subscribe to', { uri });
    }
    return {};
  },
  'completion/complete': ({ argument, context }) => ({
    completion: {
      values: [`${argument.value}!`, JSON.stringify(context ?? null)],
      total: 9,
      hasMore: true,
    },
    ...extra,
  }),
};

serve((message) => {
  received.push(message);
  const { id, method, params = {} } = message;
  if (id === undefined) {
    return;
  }
  const answer = (result) => send({ id, result });
  try {
    if (method === 'tools/call') {
      const run = tools[params.name];
      if (run === undefined) {
        throw refusal(-32602, `Unknown tool: ${params.name}`);
      }
      const { arguments: args = {}, _meta: meta = {} } = params;
      const result = run(args, meta.progressToken, answer);
      if (result !== undefined) {
        answer(result);
      }
    } else {
      answer(answers[method]?.(params) ?? {});
    }
  } catch (error) {
    const { code, message: why, data } = error;
    send({ id, error: { code, message: why, data } });
  }
});
