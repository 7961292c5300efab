// A server that sends as much as it can in the way of its argument, over stdio; with "http" all ways of HTTP, each at a
// path of its own, its port on standard output.
import { createServer, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly cursor?: string; readonly uri?: string };
}

const [, , load = ''] = process.argv;
const inputSchema = { type: 'object' };
const many = 'x'.repeat(65_536);
let asked = 0;

const greeting = {
  protocolVersion: '2025-06-18',
  capabilities: {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true },
    logging: {},
  },
  serverInfo: { name: 'hostile', version: '1' },
};
const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { resources: {} },
  serverInfo: { name: 'hostile', version: '1' },
  ttlMs: 3_600_000,
  cacheScope: 'private',
};

/** A page of a list that has no end. */
function page(method: string, way: string): object {
  asked += 1;
  const items = Array.from({ length: 5_000 }, (_, n) => {
    const name = `${asked}-${n}`;
    const more =
      way === 'names'
        ? Object.fromEntries([...Array(20).keys()].map((at) => [`${name}-${at}`, 0]))
        : {};
    return {
      name,
      uri: `a:${name}`,
      uriTemplate: `a:${name}`,
      inputSchema,
      description: `What ${name} does`,
      more,
    };
  });
  const [, member = ''] = /^(\w+)\/(?:templates\/)?list$/u.exec(method) ?? [];
  const list = method.includes('templates') ? 'resourceTemplates' : member;
  return {
    [list]: way === 'lists' || way === 'names' ? items : items.slice(0, 1),
    ...(way === 'lists' || way === 'names' ? { nextCursor: `${asked}` } : {}),
  };
}

function resultOf({ method, params }: Message, way: string): object | undefined {
  switch (method) {
    case 'initialize':
      return greeting;
    case 'server/discover':
      return discovered;
    case 'ping':
    case 'logging/setLevel':
      return {};
    case 'tools/call':
      return way === 'innocent'
        ? { content: [{ type: 'text', text: 'fine' }] }
        : { content: [{ type: 'text', text: many.repeat(800) }] };
    case 'resources/read':
      return {
        resultType: 'complete',
        contents: [{ uri: params?.uri, text: many.repeat(300) }],
        ttlMs: 3_600_000,
        cacheScope: 'private',
      };
    case 'resources/list':
    case 'resources/templates/list':
      return way === 'cache'
        ? {
            resultType: 'complete',
            resources: [],
            resourceTemplates: [],
            ttlMs: 0,
            cacheScope: 'private',
          }
        : page(method, way);
    case 'tools/list':
    case 'prompts/list':
      return page(method, way);
    default:
      return undefined;
  }
}

/** Writes again and again, as fast as it is read. */
function flood(to: Writable, next: () => string): void {
  const step = (): void => {
    while (to.writable && to.write(next())) {
      // until it has to wait
    }
  };
  to.on('drain', step);
  step();
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const floods: Readonly<Record<string, (to: Writable) => void>> = {
  lists: (to) => void setInterval(() => to.write(changes), 100),
  names: (to) => void setInterval(() => to.write(changes), 100),
  line: (to) => flood(to, () => many),
  notices: (to) => {
    let n = 0;
    const small = line({
      method: 'notifications/message',
      params: { level: 'error', data: 'x' },
    }).repeat(500);
    const large = line({
      method: 'notifications/message',
      params: { level: 'error', data: { x: many.repeat(400) } },
    });
    flood(to, () => (n++ % 10 === 0 ? large : small));
  },
  manyValues: (to) => {
    const values = `{"x":[${'{},'.repeat(900_000)}0]}`;
    flood(
      to,
      () =>
        `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":${values}}}\n`,
    );
  },
  questions: (to) => {
    let id = 0;
    const requestedSchema = { type: 'object', properties: { a: { type: 'string' } } };
    flood(to, () =>
      line({
        id: (id += 1),
        method: 'elicitation/create',
        params: { message: many.repeat(300), requestedSchema },
      }),
    );
  },
  errors: () => flood(process.stderr, () => many),
  endlessEvent: (to) => {
    to.write('data: ');
    flood(to, () => many);
  },
  tinyLines: (to) => flood(to, () => 'data:\n'.repeat(10_000)),
  oddLines: (to) => flood(to, () => 'd\n'.repeat(30_000)),
};
const changes = ['tools', 'prompts', 'resources']
  .map((list) => line({ method: `notifications/${list}/list_changed` }))
  .join('');

if (load === 'http') {
  serveHttp();
} else {
  createInterface({ input: process.stdin }).on('line', (text) => {
    const message: Message = JSON.parse(text);
    const result = message.id === undefined ? undefined : resultOf(message, load);
    if (result !== undefined) {
      process.stdout.write(line({ id: message.id, result }));
    }
    if (message.method === 'notifications/initialized') {
      floods[load]?.(process.stdout);
    }
  });
  process.stdin.on('end', () => process.exit());
}

function serveHttp(): void {
  const server = createServer((request, response) => {
    const way = request.url?.slice(1) ?? '';
    response.on('error', () => undefined);
    if (request.method === 'GET') {
      openStream(response, way);
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const message: Message = JSON.parse(body);
      if (message.id === undefined) {
        response.writeHead(202).end();
      } else if (message.method === 'tools/call' && way === 'replies') {
        openStream(response, 'tinyLines');
      } else {
        const result = resultOf(message, way) ?? {};
        response.writeHead(200, { 'content-type': 'application/json' });
        const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
        if (way === 'results') {
          endLate(response, text);
        } else {
          response.end(text);
        }
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
  });
  process.stdin.on('end', () => process.exit()).resume();
}

/** Several answers are there but for their ends at the same time, however they are read. */
function endLate(response: ServerResponse, text: string): void {
  response.write(text.slice(0, -1), () => setTimeout(() => response.end(text.slice(-1)), 500));
}

function openStream(response: ServerResponse, way: string): void {
  const start = floods[way];
  if (start === undefined) {
    response.writeHead(405).end();
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    start(response);
  }
}
