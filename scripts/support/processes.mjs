// Child processes: run one to its end, or keep one and stop it with everything it started.
// Each child leads a process group of its own, so that Ctrl+C reaches only the script, which then stops them in order.
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './output.mjs';
import { defer, onEnding } from './lifetime.mjs';
import { isWindows, localNode, root } from './project.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const live = new Set();

/** What the script had started, and they in turn, when its end began. */
let family = [];
onEnding(() => {
  family = snapshot(process.pid).filter(({ pid }) => pid !== process.pid);
});

// The last resort: who ignores a polite end, or has lost its parent during it, or was never asked, is killed.
process.on('exit', () => {
  const left = [...live].flatMap((child) => snapshot(child.pid));
  killTree([...family, ...left]);
});

/**
 * @typedef {object} LaunchOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [log] file that gets stdout and stderr
 * @property {boolean} [inherit] show the output as it comes
 * @property {number} [graceMs] how long it has for a polite end; more, if it has children of its own to end
 */

/** Starts a process that runs until `stop`, or until the script ends. */
export function launch(command, args, /** @type {LaunchOptions} */ options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: ['ignore', options.inherit ? 'inherit' : 'pipe', options.inherit ? 'inherit' : 'pipe'],
    detached: !isWindows,
    windowsHide: true,
  });
  live.add(child);
  let tail = '';
  const file = options.log === undefined ? undefined : openLog(options.log);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      tail = (tail + text).slice(-1_000_000);
      file?.write(text);
    });
  }
  /** @type {(() => void) | undefined} */
  let forget;
  /** @type {Promise<{ code: number, signal: string | null, error?: Error }>} */
  const ended = new Promise((resolve) => {
    const end = (result) => {
      live.delete(child);
      forget?.();
      file?.end();
      resolve(result);
    };
    child.once('error', (error) => end({ code: 127, signal: null, error }));
    child.once('close', (code, signal) => end({ code: code ?? 1, signal }));
    child.once('exit', (code, signal) => {
      // A grandchild that holds the pipes must not keep the end of its parent a secret.
      setTimeout(() => end({ code: code ?? 1, signal }), 3000).unref();
    });
  });
  const running = {
    child,
    /** Resolves when the process is gone and its output is read. */
    ended,
    output: () => tail,
    isRunning: () => live.has(child),
    stop: () => stop(child, ended, options.graceMs ?? 8000),
  };
  forget = defer(() => running.stop());
  return running;
}

/** Runs a process to its end and gives its exit code and output; see {@link must} for one that has to succeed. */
export async function run(command, args, options = {}) {
  const { timeoutMs = 30 * 60_000, ...rest } = options;
  const running = launch(command, args, rest);
  const timer = setTimeout(() => void running.stop(), timeoutMs);
  const { code, error } = await running.ended;
  clearTimeout(timer);
  return { code, output: running.output() + (error ? `${error.message}\n` : '') };
}

/** Runs a process that has to succeed. `what` says in words what it was to do. */
export async function must(what, command, args, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) {
    throw new Failure(
      `${what} failed (exit code ${code}): ${[command, ...args].join(' ')}\n${output.trim()}`,
    );
  }
  return output;
}

/** Runs npm with the Node that it came with: the one in node_modules may be about to be replaced. */
export async function npm(what, args, options = {}) {
  const cli = process.env.npm_execpath;
  const env = nestedNpmEnv(options.env ?? process.env);
  if (cli !== undefined && /npm-cli\.c?js$/.test(cli)) {
    const node = process.env.npm_node_execpath ?? process.execPath;
    return must(what, node, [cli, ...args], { ...options, env });
  }
  return isWindows
    ? must(what, 'cmd.exe', ['/d', '/s', '/c', 'npm', ...args], { ...options, env })
    : must(what, 'npm', args, { ...options, env });
}

/** What the outer npm tells its scripts must not become settings of the inner one. */
function nestedNpmEnv(env) {
  const own = /^npm_(package|lifecycle)_|^npm_config_(local_prefix|global_prefix|prefix|global)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}

/** The environment in which `node` and the tools of node_modules are the ones of this clone. */
export function projectEnv(extra = {}) {
  const bins = [path.join(root, 'node_modules', '.bin'), path.dirname(localNode)];
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return {
    ...process.env,
    [key]: [...bins, process.env[key] ?? ''].join(path.delimiter),
    ...extra,
  };
}

async function stop(child, ended, graceMs) {
  if (!live.has(child) || child.pid === undefined) return;
  const before = snapshot(child.pid);
  signalGroup(child.pid, 'SIGTERM');
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
  // Grandchildren may lead groups of their own (an MCP server does) and outlive a parent that was in a hurry.
  const after = live.has(child) ? snapshot(child.pid) : [];
  killTree([...before, ...after]);
  if (live.has(child)) await ended;
}

function signalGroup(pid, signal) {
  try {
    if (isWindows) execFileSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    else process.kill(-pid, signal);
  } catch {
    // Gone already.
  }
}

/** Kills what is left of a snapshot. A process id that has passed to somebody else is left alone. */
function killTree(entries) {
  const now = isWindows ? undefined : table();
  for (const { pid, born } of entries) {
    if (isWindows) signalGroup(pid, 'SIGKILL');
    else if (now?.get(pid)?.born === born) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
  }
}

/** A process and everything below it, as {pid, born}. */
export function snapshot(pid) {
  if (pid === undefined) return [];
  if (isWindows) return [{ pid, born: '' }];
  const all = table();
  const found = [];
  const queue = [pid];
  while (queue.length > 0) {
    const next = queue.shift();
    const entry = all.get(next);
    if (entry) found.push({ pid: next, born: entry.born });
    for (const [child, { ppid }] of all) if (ppid === next) queue.push(child);
  }
  return found;
}

/**
 * Ends every process that has `argument`, a path that only this run can know, on its command line.
 * For a program that starts its real self out of our family (a desktop editor on macOS).
 */
export async function killByArgument(argument) {
  if (isWindows) return;
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    const found = commandLines().filter(({ pid, text }) => {
      return pid !== process.pid && pid !== process.ppid && text.includes(argument);
    });
    if (found.length === 0) return;
    for (const { pid } of found) {
      try {
        process.kill(pid, signal);
      } catch {
        // Gone already.
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 3000);
    });
  }
}

function commandLines() {
  const rows = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return rows.split('\n').map((row) => {
    const [, pid = '0', text = ''] = /^\s*(\d+)\s(.*)$/.exec(row) ?? [];
    return { pid: Number(pid), text };
  });
}

/** All processes: id → parent and time of birth. */
function table() {
  const all = new Map();
  if (process.platform === 'linux') {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        // "12 (name with ) and spaces) S 1 …": the fields after the last parenthesis; 22 in all is the start time.
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        all.set(Number(name), { ppid: Number(fields[1]), born: fields[19] });
      } catch {
        // Ended while we looked.
      }
    }
    return all;
  }
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,lstart='], { encoding: 'utf8' });
  for (const row of rows.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row);
    if (match) all.set(Number(match[1]), { ppid: Number(match[2]), born: match[3] });
  }
  return all;
}

function openLog(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  return createWriteStream(file, { flags: 'a' });
}
