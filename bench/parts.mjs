// Where the bytes of our bundle go: by what they are for, and what is loaded only when it comes to that.

/** The first pattern that fits counts. */
const parts = [
  [
    'finding out how a server is spoken to, its first connection',
    /mcp\/(connect|userWait)|era\/classify/,
  ],
  ['JSON-RPC: envelope, ids, limits of time, cancellation, progress', /mcp\/rpc\//],
  ['server-sent events', /eventsource-parser|transport\/sse/],
  [
    'Streamable HTTP: connections, redirects, sign-in, Retry-After',
    /transport\/http(?!ReplyStream|PushStream|StreamOpening|Session|SessionLosses)|mcp\/network/,
  ],
  [
    'Streamable HTTP of the older revisions: sessions, resumption, push stream',
    /transport\/(streamable|http)/,
  ],
  ['Streamable HTTP of 2026-07-28', /transport\/modernHttp|era\/(httpHeaders|parameterHeaders)/],
  [
    'stdio: lines, standard error, limits',
    /transport\/(stdio|splitter|limits|messageText|jsonText)/,
  ],
  ['processes: start, end of a whole tree, also after a crash', /transport\//],
  ['sessions of the older revisions', /era\/(legacy|serverRequests|serverState|reopening|tasks)/],
  [
    'sessions of 2026-07-28: discovery, subscriptions, cache',
    /era\/(modern|listen|discovered|followUps|resultCache|requestMeta)/,
  ],
  [
    'of both: revisions, capabilities, results, events, icons',
    /mcp\/era\/|mcp\/(revisions|icons|errors|types|listCap)/,
  ],
  ['whole lists, with what is wrong in them left out', /mcp\/list|mcp\/leftOut/],
  ['events, disposal, time', /src\/base\//],
];

const kb = (bytes) => (bytes / 1000).toFixed(1);

/** @param outputs of esbuild's metafile: the client and what it loads late @returns lines of Markdown */
export function whereBytesGo(outputs, clientFile) {
  const named = Object.entries(outputs).map(([file, output]) => [file.split('/').at(-1), output]);
  const { bytes, inputs } = Object.fromEntries(named)[clientFile];
  const sizes = new Map(parts.map(([part]) => [part, 0]));
  let rest = bytes;
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const [part] = parts.find(([, pattern]) => pattern.test(file)) ?? [];
    if (part === undefined) continue;
    sizes.set(part, sizes.get(part) + bytesInOutput);
    rest -= bytesInOutput;
  }
  const rows = [...sizes, ['the bundler, and the measured program itself', rest]];
  const late = named.filter(([file]) => file !== clientFile);
  return [
    '| minified | kB |',
    '|---|---|',
    ...rows.map(([part, size]) => `| ${part} | ${kb(size)} |`),
    `| in all | ${kb(bytes)} |`,
    '',
    `Loaded only when it comes to that: ${late.map(([file, output]) => `${file} ${kb(output.bytes)}`).join(', ')} (kB; each has its own copy of what it shares).`,
  ];
}
