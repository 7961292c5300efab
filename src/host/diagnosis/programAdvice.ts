/** Advice for a program that fails as a server: it does not exist, cannot run, prints a reason, ends or is silent. */
import { type ErrorCode, type McpError, codesBelow } from '../../mcp/errors.ts';
import type { LaunchInspection, ResolvedLaunch } from '../launch/launchGate.ts';

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
): readonly string[] {
  const missing = ofMissing(error, inspection);
  if (missing !== undefined) {
    return [missing, ...(isRemote ? [whereItRuns] : [])];
  }
  return [
    ofRefusedStart(error) ??
      // After an answer its other output does not matter.
      (error.code === 'rpc' ? refused : undefined) ??
      ofWords(written) ??
      advices[error.code] ??
      (error.code === 'closed'
        ? ofEnd(error, written)
        : 'The log of the server shows every step. Choose "MCP Host: Show Server Log".'),
  ];
}

const refused = 'It refused the start with an error of its own. See the error below.';

const whereItRuns = 'It runs on the remote machine, like the extension, not on your own.';

const notExecutable =
  'The file in "command" cannot be executed. Make it executable (chmod +x), or set "command" to its interpreter and put the file into "args".';

function ofMissing(error: McpError, { launch, program }: StdioInspection): string | undefined {
  if (program === undefined) {
    return undefined;
  }
  if (!program.isFolderThere) {
    return 'Its working directory does not exist. Correct "cwd", or create the folder.';
  }
  if (program.file !== undefined) {
    return undefined;
  }
  const isNamed = program.searched.length > 0;
  // A path may hold blanks; a dash after one begins an argument.
  if ((isNamed ? /\S\s+\S/u : /\s-/u).test(launch.command)) {
    return 'Its "command" contains more than the program. Keep the program there, and move the rest to "args".';
  }
  if (isNamed) {
    return 'Its program is not installed, or is in a folder that was not searched. Install it (on Windows, restart the editor then), or give its full path as "command".';
  }
  return isForbidden(error)
    ? notExecutable
    : 'There is no program at the path in "command". Correct it, and make sure that the file is executable.';
}

/** The file exists, but the system did not run it. */
function ofRefusedStart(error: McpError): string | undefined {
  if (error.code !== 'unreachable') {
    return undefined;
  }
  const codes = codesBelow(error);
  if (codes.includes('ENOENT')) {
    return 'The file in "command" exists, but the interpreter that its first line names does not. Install the interpreter, or set "command" to it and put the file into "args".';
  }
  if (codes.includes('ENOEXEC')) {
    return 'The file in "command" is not a program for this machine. Install the version for this machine, or set "command" to its interpreter and put the file into "args".';
  }
  return isForbidden(error)
    ? notExecutable
    : 'The system did not start it. The error below says why.';
}

function isForbidden(error: McpError): boolean {
  return codesBelow(error).some((code) => code === 'EACCES' || code === 'EPERM');
}

/** Output of programs that cannot run, and what helps. The first match counts. */
const clues: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /npm (?:ERR!|error) (?:code )?E404|404 Not Found - GET/u,
    'The package registry does not have the package. Check its name in "args".',
  ],
  [
    /was not found in the package registry|No matching distribution found/u,
    'PyPI does not have the package, or not in this version. Check its name in "args".',
  ],
  [
    /pull access denied|manifest (?:for \S+ not found|unknown)|repository does not exist/iu,
    'There is no such image, or it needs a sign-in. Check its name and tag in "args", or run "docker login".',
  ],
  [
    /npm (?:ERR!|error) (?:code )?(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRE\w+)/u,
    'The package registry cannot be reached. Check the network and the proxy, or install the package and set "command" to its program.',
  ],
  [
    /EBADENGINE|Unsupported engine|SyntaxError: (?:Unexpected token|Cannot use import)/u,
    'It needs another version of Node.js than the one that was found. Set "command" to the right one.',
  ],
  [
    /Cannot find module|ERR_MODULE_NOT_FOUND/u,
    'Node.js does not find one of its files. Build the server or install its packages, and check the path in "args".',
  ],
  [
    /ModuleNotFoundError|No module named/u,
    'Python does not find one of its modules. Install the module, or set "command" to the Python of its virtual environment.',
  ],
  [
    /Cannot connect to the Docker daemon|docker daemon is not running|^docker: (?:failed to connect to the docker API|error during connect)/imu,
    'Docker is not running. Start it.',
  ],
  [
    /EADDRINUSE|address already in use/iu,
    'The port that it listens on is in use. End the other program, or choose another port.',
  ],
  [
    /self.signed|unable to (?:verify|get local issuer)|certificate verify failed/iu,
    'It does not trust a certificate. Name your certificate authority, for example with NODE_EXTRA_CA_CERTS or SSL_CERT_FILE in "env".',
  ],
  [
    /(?:api.?key|token|secret|credentials?|environment variable)\b.{0,80}(?:required|missing|not (?:set|found|provided)|must)|(?:missing|required).{0,40}(?:api.?key|token|environment variable)/iu,
    'It needs a key or a variable that is missing. Put it into "env", through ${input:…} if it is a secret.',
  ],
  [
    /EACCES|permission denied/iu,
    'It has no permission for a file or folder. Check the permissions of the files that its arguments name.',
  ],
  [
    /\benv: .+: No such file/u,
    'An interpreter that a script names is not on its PATH. Install it, or set PATH in "env", with the folder of the interpreter.',
  ],
  [
    /command not found|is not recognized as|No such file or directory|ENOENT/iu,
    'A program or file that it needs is missing. Check its arguments, and that everything it needs is installed.',
  ],
];

function ofWords({ lastStderr, strayOutput }: Written): string | undefined {
  const text = [...lastStderr, strayOutput ?? ''].join('\n');
  const advice = clues.find(([words]) => words.test(text))?.[1];
  if (advice !== undefined || strayOutput === undefined) {
    return advice;
  }
  return 'It writes something other than messages to standard output. Is the program an MCP server, and does it need an argument such as "--stdio"? It must log to standard error.';
}

const advices: Readonly<Partial<Record<ErrorCode, string>>> = {
  timeout:
    'It did not answer in time. A first start may download something. Try again, or increase "timeouts.startSeconds".',
  protocol: 'It violates the protocol. Look for a newer version of the server.',
};

function ofEnd(error: McpError, { lastStderr }: Written): string {
  const [code = ''] = codesBelow(error);
  if (code === '0') {
    return 'It ended without an error. Is the program an MCP server, and does it need an argument such as "--stdio"?';
  }
  if (code === '126' || code === '127') {
    return 'A shell did not find or could not run the program. Check the program in "args" or in its script, and that it is installed.';
  }
  if (code === 'SIGKILL') {
    return 'Something else ended it. Is there enough memory, and does the system or a container limit it?';
  }
  if (/^SIG(?:SEGV|ABRT|BUS|ILL|FPE|SYS|TRAP)$/u.test(code)) {
    return 'The program crashed. Look for a newer version, or for one that is made for this machine.';
  }
  return lastStderr.length > 0
    ? 'It ended with an error. See its last output on standard error below.'
    : 'It ended with an error. Run its command in a terminal to see the error.';
}
