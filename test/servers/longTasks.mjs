// A stdio server whose one tool runs as a task that outlives the process. Its environment says more:
//   ERA=legacy|modern   revision 2025-11-25, or 2026-07-28 with the extension of tasks
//   TASKS=<folder>      has a file for each task; they are done once there is a file `finished`
//   TOOL=<name>         its tool; default: report
//   METHODS=<file>      appends each method that is received, one a line
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { initializeResult, Refusal, serveAnswers } from './lines.mjs';

const { ERA, METHODS, TASKS = '', TOOL = 'report' } = process.env;
const isLegacy = ERA === 'legacy';
const result = { content: [{ type: 'text', text: 'The report is ready.' }] };
const fileOf = (id) => path.join(TASKS, `${id}.task`);

function stateOf(taskId) {
  if (!existsSync(fileOf(taskId))) throw new Refusal(-32602, 'Unknown task');
  const status = existsSync(path.join(TASKS, 'finished')) ? 'completed' : 'working';
  const at = '2026-07-28T10:30:00Z';
  const times = { createdAt: at, lastUpdatedAt: at, statusMessage: 'Writing the report' };
  return isLegacy
    ? { taskId, status, ...times, ttl: null, pollInterval: 250 }
    : { taskId, status, ...times, ttlMs: null, pollIntervalMs: 250 };
}

function begin() {
  const id = crypto.randomUUID();
  writeFileSync(fileOf(id), '');
  return stateOf(id);
}

const tool = {
  name: TOOL,
  description: 'Writes a report for hours',
  inputSchema: { type: 'object' },
  ...(isLegacy && { execution: { taskSupport: 'required' } }),
};
const cancel = ({ taskId }) => rmSync(fileOf(taskId), { force: true });
const info = { name: 'long-tasks', version: '1.0.0' };
const complete = (more) => ({ resultType: 'complete', ...more });

const legacy = {
  initialize: () =>
    initializeResult({
      serverInfo: info,
      capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
    }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': () => ({ task: begin() }),
  'tasks/get': ({ taskId }) => stateOf(taskId),
  'tasks/result': () => result,
  'tasks/cancel': ({ taskId }) => {
    const state = stateOf(taskId);
    cancel({ taskId });
    return { ...state, status: 'cancelled' };
  },
};
const modern = {
  'server/discover': () =>
    complete({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      serverInfo: info,
      ttlMs: 60_000,
      cacheScope: 'public',
    }),
  'tools/list': () => complete({ tools: [tool], ttlMs: 60_000, cacheScope: 'public' }),
  'tools/call': () => ({ ...begin(), resultType: 'task' }),
  'tasks/get': ({ taskId }) => {
    const state = stateOf(taskId);
    return complete(state.status === 'completed' ? { ...state, result } : state);
  },
  'tasks/cancel': (params) => {
    cancel(params);
    return complete({});
  },
};

const unknown = () => {
  throw new Refusal(-32601, 'Method not found');
};
const answers = isLegacy
  ? { 'server/discover': unknown, ...legacy }
  : { initialize: unknown, ...modern };
serveAnswers(
  Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      (params) => {
        if (METHODS !== undefined) appendFileSync(METHODS, `${method}\n`);
        return answer(params);
      },
    ]),
  ),
);
