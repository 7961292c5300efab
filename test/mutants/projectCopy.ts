/** A copy of the project in a temporary folder, in which one file at a time is changed and tests run. */
import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Mutant } from './mutant.ts';

const root = path.join(import.meta.dirname, '../..');

export interface Tests {
  /** Below `test`. */
  readonly files: readonly string[];
  /** Runs those with these words in their titles alone. */
  readonly only?: string;
}

export interface TestRun {
  readonly passed: number;
  /** The file and the full title of the first test that failed. */
  readonly failure: string | undefined;
  readonly isTimedOut: boolean;
  /** What mocha said, for a run that did not come to its tests. */
  readonly output: string;
  readonly ms: number;
}

export class ProjectCopy {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Copies the tracked files as they are now. The packages are linked. */
  static async make(): Promise<ProjectCopy> {
    // Short: the path of a socket has to fit into 108 bytes.
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'mut-')));
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
    for (const file of tracked.split('\0').filter((name) => name !== '')) {
      // A tracked file that is gone is missing in the copy, too.
      await cp(path.join(root, file), path.join(folder, file)).catch(() => undefined);
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    return new ProjectCopy(folder);
  }

  /** Runs `work` with the mutant in place. */
  async withMutant<T>({ file, find, replacement }: Mutant, work: () => Promise<T>): Promise<T> {
    const place = path.join(this.folder, file);
    const before = await readFile(place, 'utf8');
    await writeFile(
      place,
      before.replace(find, () => replacement),
    );
    try {
      return await work();
    } finally {
      await writeFile(place, before);
    }
  }

  /** Stops at the first failure. */
  async test({ files, only }: Tests, limitMs: number): Promise<TestRun> {
    const report = path.join(this.folder, 'mutant-report.json');
    await rm(report, { force: true });
    const mocha = path.join(this.folder, 'node_modules/mocha/bin/mocha.js');
    const reporter = ['--reporter', 'json', '--reporter-option', `output=${report}`];
    const choice = only === undefined ? [] : ['--fgrep', only];
    const args = [
      mocha,
      '--bail',
      '--exit',
      ...reporter,
      ...choice,
      ...files.map((file) => `test/${file}`),
    ];
    const started = performance.now();
    const { output, isTimedOut } = await this.#run(args, limitMs);
    this.#endLeftProcesses();
    const { passed, failure } = await readReport(report, path.join(this.folder, 'test'));
    return { passed, failure, isTimedOut, output, ms: performance.now() - started };
  }

  async dispose(): Promise<void> {
    this.#endLeftProcesses();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  #run(
    args: readonly string[],
    limitMs: number,
  ): Promise<{ readonly output: string; readonly isTimedOut: boolean }> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, {
        cwd: this.folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      let isTimedOut = false;
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-4_000);
        });
      }
      const limit = setTimeout(() => {
        isTimedOut = true;
        end(-(child.pid ?? 0));
      }, limitMs);
      child.once('error', reject);
      child.once('exit', () => {
        clearTimeout(limit);
        resolve({ output, isTimedOut });
      });
    });
  }

  /** A mutant may forget to end the servers that a test started. */
  #endLeftProcesses(): void {
    for (const pid of process.platform === 'linux' ? readdirSync('/proc') : []) {
      if (
        /^\d+$/u.test(pid) &&
        Number(pid) !== process.pid &&
        commandOf(pid).includes(this.folder)
      ) {
        end(Number(pid));
      }
    }
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function readReport(
  file: string,
  tests: string,
): Promise<Pick<TestRun, 'passed' | 'failure'>> {
  try {
    const { stats, failures }: Report = JSON.parse(await readFile(file, 'utf8'));
    const [first] = failures;
    const failure = first && `${path.relative(tests, first.file ?? '')}: ${first.fullTitle}`;
    return { passed: stats.passes, failure };
  } catch {
    return { passed: 0, failure: undefined };
  }
}

interface Report {
  readonly stats: { readonly passes: number };
  readonly failures: readonly { readonly file?: string; readonly fullTitle: string }[];
}
