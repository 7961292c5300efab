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

/** An answer that is an error response. */
export class Refusal extends Error {
  constructor(code, message, data) {
    super(message);
    Object.assign(this, { code, data });
  }
}

/** What the reply to a question is given to, by the id of the question. */
const asked = new Map();

/** Asks the client; gives its reply. @param sent is told the id of the question */
export function ask(method, params, sent) {
  const id = `ask-${asked.size}`;
  sent?.(id);
  send({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

/**
 * Answers by method, each with its result or a promise of it; `{}` where there is none. A {@link Refusal} is an error
 * response, and `unanswered` none at all.
 */
export function serveAnswers(answers) {
  serve(async ({ id, method, params = {}, result, error }) => {
    if (method === undefined) {
      asked.get(id)?.({ result, error });
      return;
    }
    try {
      const given = answers[method]?.(params, id);
      const answer = given instanceof Promise ? await given : given;
      if (id !== undefined && answer !== unanswered) {
        send({ id, result: answer ?? {} });
      }
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const { code, message, data } = refusal;
      send({ id, error: { code, message, data } });
    }
  });
}

export const unanswered = Symbol('unanswered');

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
