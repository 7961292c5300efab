// Reads the file in which the demo extension says how the servers are, as the running extension exports it.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../support/output.mjs';

const resting = new Set(['ready', 'failed', 'stopped']);

export function followStatus(file) {
  let text = '';
  let status;
  const listeners = new Set();

  const read = () => {
    let now;
    try {
      now = readFileSync(file, 'utf8');
    } catch {
      // Not written yet, or the end has begun.
      return;
    }
    if (now === text) return;
    const before = status?.servers ?? [];
    text = now;
    status = JSON.parse(now);
    for (const line of changes(before, status.servers)) for (const say of listeners) say(line);
  };
  setInterval(read, 250).unref();

  return {
    servers: () => status?.servers ?? [],
    /** Called with a line of text for each server whose state has changed. */
    onDidChange: (listener) => listeners.add(listener),
    /** Resolves when each of `names` is there and has come to rest; fails when the extension does not start. */
    async settled(names, timeoutMs) {
      const until = Date.now() + timeoutMs;
      while (Date.now() < until) {
        read();
        if (status?.error) throw new Failure(`The extension did not start: ${status.error}`);
        const servers = new Map(status?.servers.map((server) => [server.name, server]));
        if (names.every((name) => isAtRest(servers.get(name)))) return;
        await delay(200);
      }
      if (status === undefined) {
        throw new Failure(`The extension did not start within ${timeoutMs / 1000} s.`);
      }
      // The table shows which server hangs.
    },
  };
}

function isAtRest(server) {
  return server !== undefined && resting.has(server.state) && !server.isLoading;
}

function changes(before, after) {
  const old = new Map(before.map((server) => [server.name, server.state]));
  return after
    .filter(({ name, state }) => old.has(name) && old.get(name) !== state)
    .map(({ name, state, error }) => `${name}: ${state}${error ? ` (${firstLine(error)})` : ''}`);
}

export function firstLine(text) {
  return text.split('\n', 1)[0];
}
