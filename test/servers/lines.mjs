// What the scripted servers share: messages as lines on the standard streams. Knows no MCP method.

export function sendLine(text) {
  process.stdout.write(`${text}\n`);
}

export function send(message) {
  sendLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** Calls `receive` for each message; ends with the input. */
export function serve(receive) {
  let buffer = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    buffer += chunk;
    const lines = buffer.split('\n');
    buffer = lines.pop();
    for (const line of lines) {
      receive(JSON.parse(line));
    }
  });
  process.stdin.on('end', () => process.exit(0));
}

export function initializeResult(overrides = {}) {
  return {
    protocolVersion: '2025-11-25',
    capabilities: {
      tools: { listChanged: true },
      prompts: {},
      resources: { subscribe: true, listChanged: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name: 'scripted', version: '1.0.0' },
    ...overrides,
  };
}
