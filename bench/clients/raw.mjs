// The least that talks to the servers: no checks, no limits, no cancellation. What the others are
// compared with.
import { spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';

const clientInfo = { name: 'bench', version: '1.0.0' };
/** What each request of 2026-07-28 says of its sender. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class RawClient {
  #nextId = 1;
  #pending = new Map();
  #progress = new Map();
  #isModern;
  #send;

  constructor(send, era) {
    this.#send = send;
    this.#isModern = era === 'modern';
  }

  async open() {
    if (this.#isModern) {
      await this.request('server/discover', {});
      return;
    }
    await this.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo,
    });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  request(method, params) {
    const id = this.#nextId++;
    if (this.#isModern) {
      params['_meta'] = { ...params['_meta'], ...envelope };
    }
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  receive(message) {
    if (message.method === undefined) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (message.error === undefined) {
        pending.resolve(message.result);
      } else {
        pending.reject(new Error(message.error.message));
      }
    } else if (message.method === 'notifications/progress') {
      this.#progress.get(message.params.progressToken)?.(message.params);
    }
  }

  async callTool(name, args, onProgress) {
    if (onProgress === undefined) {
      return this.request('tools/call', { name, arguments: args });
    }
    const progressToken = this.#nextId;
    this.#progress.set(progressToken, onProgress);
    const result = await this.request('tools/call', {
      name,
      arguments: args,
      _meta: { progressToken },
    });
    this.#progress.delete(progressToken);
    return result;
  }

  async listTools() {
    const tools = [];
    let cursor;
    do {
      const page = await this.request('tools/list', cursor === undefined ? {} : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools;
  }
}

/** Chunks to lines; the chunks of an unfinished line are joined once. */
function lineSplitter(onLine) {
  let parts = [];
  return (chunk) => {
    let start = 0;
    if (parts.length > 0) {
      const end = chunk.indexOf(10);
      if (end === -1) {
        parts.push(chunk);
        return;
      }
      parts.push(chunk.subarray(0, end));
      const line = Buffer.concat(parts);
      parts = [];
      onLine(line.toString());
      start = end + 1;
    }
    const last = chunk.lastIndexOf(10);
    if (last >= start) {
      for (const line of chunk.toString('utf8', start, last).split('\n')) {
        onLine(line);
      }
      start = last + 1;
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start));
    }
  };
}

/** As ours: reading process.env costs a call per variable. */
const env = { ...process.env };

export async function connectStdio(command, args, era) {
  const child = spawn(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    // As ours: on a busy machine the system gives each session its own share of the time.
    detached: process.platform !== 'win32',
  });
  let outbox = '';
  const client = new RawClient((message) => {
    if (outbox === '') {
      queueMicrotask(() => {
        const text = outbox;
        outbox = '';
        child.stdin.write(text);
      });
    }
    outbox += `${JSON.stringify(message)}\n`;
  }, era);
  child.stdout.on(
    'data',
    lineSplitter((line) => client.receive(JSON.parse(line))),
  );
  await client.open();
  client.close = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.stdin.end();
    });
  return client;
}

function receiveEvents(response, onData) {
  const blank = '\n\n';
  let parts = [];
  response.setEncoding('utf8');
  response.on('data', (text) => {
    const isCut = text.startsWith('\n') && (parts.at(-1)?.endsWith('\n') ?? false);
    if (!isCut && !text.includes(blank)) {
      parts.push(text); // joined once, when the event is whole
      return;
    }
    const all = parts.length === 0 ? text : [...parts, text].join('');
    let start = 0;
    for (let end = all.indexOf(blank); end !== -1; end = all.indexOf(blank, start)) {
      const at = all.indexOf('data: ', start);
      onData(all.slice(at + 6, end));
      start = end + 2;
    }
    parts = start < all.length ? [all.slice(start)] : [];
  });
}

function receiveJson(response, onData) {
  const parts = [];
  response.on('data', (chunk) => parts.push(chunk));
  response.on('end', () => {
    if (parts.length > 0) {
      onData((parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString());
    }
  });
}

const ofEveryPost = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** What the headers of 2026-07-28 repeat of the body. */
function mirrored({ method, params }) {
  const name = params.name === undefined ? undefined : { 'mcp-name': params.name };
  return { ...ofEveryPost, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name };
}

export async function connectHttp(url, era) {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port, pathname: path } = new URL(url);
  let ofSession = ofEveryPost;
  const client = new RawClient((message) => {
    const headers = era === 'modern' ? mirrored(message) : ofSession;
    const request = httpRequest(
      { agent, hostname, port, path, method: 'POST', headers },
      (response) => {
        const id = response.headers['mcp-session-id'];
        if (id !== undefined) {
          ofSession = {
            ...ofEveryPost,
            'mcp-session-id': id,
            'mcp-protocol-version': '2025-11-25',
          };
        }
        const isEvents = response.headers['content-type'] === 'text/event-stream';
        const receive = isEvents ? receiveEvents : receiveJson;
        receive(response, (text) => client.receive(JSON.parse(text)));
      },
    );
    request.on('error', () => undefined); // the agent is gone
    request.end(JSON.stringify(message));
  }, era);
  await client.open();
  client.close = async () => agent.destroy();
  return client;
}
