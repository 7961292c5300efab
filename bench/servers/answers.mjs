// What the benchmark's servers answer. Results are texts that are made once, so that the servers cost
// as little as possible and the clients are what is measured. Ids are read without parsing the message.

const revision = '2025-11-25';
const pages = 100;
const toolsPerPage = 100;

const initialize = JSON.stringify({
  protocolVersion: revision,
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1.0.0' },
});
const discover = JSON.stringify({
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 600_000,
  cacheScope: 'public',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bench', version: '1.0.0' } },
});
const small = JSON.stringify({ content: [{ type: 'text', text: 'ok' }] });

/** A text without quotes or backslashes, so that its length on the wire is its length. */
function bigResult(bytes) {
  const words = 'The quick brown fox jumps over the lazy dog. ';
  const text = words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
  return JSON.stringify({ content: [{ type: 'text', text }] });
}

function tool(number, hasOutput) {
  const properties = {
    path: { type: 'string', description: 'Absolute path of the file to work on' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    mode: { type: 'string', enum: ['fast', 'exact'] },
  };
  return {
    name: `tool_${number}`,
    title: `Tool number ${number}`,
    description: `Does the work of number ${number} and says what came of it.`,
    inputSchema: { type: 'object', properties, required: ['path'] },
    ...(hasOutput && {
      outputSchema: {
        type: 'object',
        properties: {
          count: { type: 'integer' },
          names: { type: 'array', items: { type: 'string' } },
          [`field_${number}`]: { type: 'string' },
        },
        required: ['count'],
      },
    }),
    annotations: { readOnlyHint: true },
  };
}

function toolPages(hasOutput) {
  return Array.from({ length: pages }, (_page, page) => {
    const tools = Array.from({ length: toolsPerPage }, (_tool, index) =>
      tool(page * toolsPerPage + index, hasOutput),
    );
    const nextCursor = page + 1 < pages ? `page-${page + 1}` : undefined;
    return JSON.stringify({ tools, nextCursor, ttlMs: 0, cacheScope: 'public' });
  });
}

const made = new Map();
function once(key, make) {
  if (!made.has(key)) {
    made.set(key, make());
  }
  return made.get(key);
}

function numberAfter(text, mark) {
  const at = text.indexOf(mark);
  return at === -1
    ? undefined
    : Number.parseInt(text.slice(at + mark.length, at + mark.length + 12), 10);
}

function toolResult(text) {
  const bytes = numberAfter(text, '"bytes":');
  return bytes === undefined ? small : once(`big ${bytes}`, () => bigResult(bytes));
}

/** Makes the list of tools before it is asked for, so that no measurement holds the making. */
export function prepareTools(hasOutput) {
  return once(`tools ${hasOutput}`, () => toolPages(hasOutput));
}

function listPage(text, hasOutput) {
  return prepareTools(hasOutput)[numberAfter(text, '"cursor":"page-') ?? 0];
}

/** Progress notifications for the request, if it asks for any; all before its result. */
export function progressOf(text) {
  const count = numberAfter(text, '"notifications":') ?? 0;
  const token = numberAfter(text, '"progressToken":');
  return Array.from(
    { length: count },
    (_, index) =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${index + 1},"total":${count}}}`,
  );
}

/** As it stands in the message, so that a string goes back as a string. */
function idIn(text) {
  const at = text.indexOf('"id":');
  return at === -1 ? undefined : text.slice(at + 5, text.slice(at).search(/[,}]/) + at);
}

function resultFor(text, hasOutput) {
  if (text.includes('"tools/call"')) {
    return toolResult(text);
  }
  if (text.includes('"tools/list"')) {
    return listPage(text, hasOutput);
  }
  if (text.includes('"server/discover"')) {
    return discover;
  }
  return text.includes('"initialize"') ? initialize : '{"_meta":{}}';
}

/** Each request of 2026-07-28 names its revision, and each result says its kind. */
function isModern(text) {
  return text.includes('io.modelcontextprotocol/protocolVersion');
}

/** The reply to one message as text; undefined for a notification. */
export function replyTo(text, hasOutput) {
  const id = idIn(text);
  if (id === undefined) {
    return undefined;
  }
  const result = resultFor(text, hasOutput);
  const members = isModern(text) ? `"resultType":"complete",${result.slice(1)}` : result.slice(1);
  return `{"jsonrpc":"2.0","id":${id},"result":{${members}}`;
}
