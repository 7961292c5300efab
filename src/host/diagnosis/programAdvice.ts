/** Advice for a program that fails as a server: it does not exist, cannot run, prints a reason, ends or is silent. */
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { ErrorCode, McpError } from '../../mcp/errors.ts';
import { codesBelow } from '../servers/errorOf.ts';
import type { LaunchInspection } from '../launch/launchInspection.ts';

type StdioInspection = LaunchInspection & {
  readonly launch: Extract<ResolvedLaunch, { kind: 'stdio' }>;
};

interface Written {
  readonly lastStderr: readonly string[];
  /** The first line on standard output that was no message. */
  readonly strayOutput: string | undefined;
}

/** @param isRemote the program runs on another machine than the user's */
export function adviceOnProgram(
  error: McpError,
  written: Written,
  inspection: StdioInspection,
  isRemote: boolean,
): string {
  const missing = ofMissing(error, inspection);
  if (missing !== undefined) {
    return isRemote ? `${missing} ${whereItRuns}` : missing;
  }
  return (
    ofRefusedStart(error) ??
    // It has spoken the protocol, so its other output does not matter.
    answers[error.code] ??
    ofWords(written) ??
    advices[error.code] ??
    (error.code === 'closed'
      ? ofEnd(error, written)
      : 'The log of the server has every step: choose "MCP Host: Show Server Log".')
  );
}

const whereItRuns =
  'It runs on the remote machine, where the extension does, and not on the one before you.';

const notExecutable =
  'What "command" names cannot be executed: make the file executable (chmod +x), or name its interpreter as "command" and the file in "args".';

function ofMissing(error: McpError, { launch, program }: StdioInspection): string | undefined {
  if (program === undefined) {
    return undefined;
  }
  if (!program.isFolderThere) {
    return 'Its working directory does not exist: correct "cwd", or create the folder.';
  }
  if (program.file !== undefined) {
    return undefined;
  }
  const isNamed = program.searched.length > 0;
  // A path may hold blanks; a dash after one begins an argument.
  if ((isNamed ? /\S\s+\S/u : /\s-/u).test(launch.command)) {
    return 'Its "command" holds more than the program: leave the program there, and put what follows it into "args".';
  }
  if (isNamed) {
    return 'Its program is not installed, or lies in a folder that was not searched: install it, or give its full path as "command".';
  }
  return isForbidden(error)
    ? notExecutable
    : 'There is no program at the path that "command" names: correct it, and see that the file may be executed.';
}

/** The file exists, but the system did not run it. */
function ofRefusedStart(error: McpError): string | undefined {
  if (error.code !== 'unreachable') {
    return undefined;
  }
  const codes = codesBelow(error);
  if (codes.includes('ENOENT')) {
    return 'The file that "command" names is there, and the interpreter that its first line names is not: install that, or name it as "command" and the file in "args".';
  }
  if (codes.includes('ENOEXEC')) {
    return 'The file that "command" names is no program for this machine: install the one that is made for it, or name its interpreter as "command" and the file in "args".';
  }
  return isForbidden(error)
    ? notExecutable
    : 'The system did not start it: the error below says why.';
}

function isForbidden(error: McpError): boolean {
  return codesBelow(error).some((code) => code === 'EACCES' || code === 'EPERM');
}

/** Output of programs that cannot run, and what helps. The first match counts. */
const clues: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /npm (?:ERR!|error) (?:code )?E404|404 Not Found - GET/u,
    'The package registry does not know the package: check its name in "args".',
  ],
  [
    /npm (?:ERR!|error) (?:code )?(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRE\w+)/u,
    'The package registry cannot be reached: check the network and the proxy, or install the package and name its program as "command".',
  ],
  [
    /EBADENGINE|Unsupported engine|SyntaxError: (?:Unexpected token|Cannot use import)/u,
    'It wants another version of Node.js than the one that was found: name the right one as "command".',
  ],
  [
    /Cannot find module|ERR_MODULE_NOT_FOUND/u,
    'Node.js does not find one of its files: build the server or install its packages, and check the path in "args".',
  ],
  [
    /ModuleNotFoundError|No module named/u,
    'Python does not find one of its modules: install it, or name the python of its virtual environment as "command".',
  ],
  [
    /Cannot connect to the Docker daemon|docker daemon is not running/iu,
    'Docker does not run: start it.',
  ],
  [
    /EADDRINUSE|address already in use/iu,
    'A port that it listens on is taken: end the other program, or give it another port.',
  ],
  [
    /self.signed|unable to (?:verify|get local issuer)|certificate verify failed/iu,
    'It does not trust a certificate: give it your authority, such as by NODE_EXTRA_CA_CERTS or SSL_CERT_FILE in "env".',
  ],
  [
    /(?:api.?key|token|secret|credentials?|environment variable)\b.{0,80}(?:required|missing|not (?:set|found|provided)|must)|(?:missing|required).{0,40}(?:api.?key|token|environment variable)/iu,
    'It wants a key or a variable that it was not given: put it into "env", through ${input:…} if it is a secret.',
  ],
  [
    /EACCES|permission denied/iu,
    'It may not use a file or folder: check the permissions of what its arguments name.',
  ],
  [
    /command not found|is not recognized as|No such file or directory|ENOENT/iu,
    'A program or file that it needs is not there: check its arguments, and what it has to have installed.',
  ],
];

function ofWords({ lastStderr, strayOutput }: Written): string | undefined {
  const text = [...lastStderr, strayOutput ?? ''].join('\n');
  const advice = clues.find(([words]) => words.test(text))?.[1];
  if (advice !== undefined || strayOutput === undefined) {
    return advice;
  }
  return 'It writes to standard output what is no message: is the program an MCP server, and does it want an argument such as "--stdio"? Its logging belongs on standard error.';
}

type Advices = Readonly<Partial<Record<ErrorCode, string>>>;

const answers: Advices = {
  unsupported:
    'It speaks no revision of the protocol that is known here: look for a newer version of it.',
  rpc: 'It refused the start with an error of its own: see what that says below.',
};

const advices: Advices = {
  timeout:
    'It did not answer in time. A first start may have to download: try again, or raise "timeouts.startSeconds".',
  protocol: 'It does not keep to the protocol: look for a newer version of it.',
};

function ofEnd({ message }: McpError, { lastStderr }: Written): string {
  if (/code 0\b/u.test(message)) {
    return 'It ended without an error: is the program an MCP server, and does it want an argument such as "--stdio"?';
  }
  if (/code 12[67]\b/u.test(message)) {
    return 'A shell did not find, or could not run, the program that it was to start: check what "args" and its script name, and whether that is installed.';
  }
  if (/\bSIGKILL\b/u.test(message)) {
    return 'Something ended it from outside: is there enough memory, and does a guard of the system or of a container end it?';
  }
  if (/\bSIG(?:SEGV|ABRT|BUS|ILL|FPE|SYS|TRAP)\b/u.test(message)) {
    return 'The program crashed: look for a newer version of it, or for one that is made for this machine.';
  }
  return lastStderr.length > 0
    ? 'It ended with an error: see below what it wrote last to standard error.'
    : 'It ended with an error: run its command in a terminal to see what it says there.';
}
