/** Command lines that people type: their words, and a name for the server that they start. Runs nothing. */

/**
 * Blanks outside of quotes separate words. A backslash escapes a quote, a backslash or a blank; before any other
 * character it is kept, so that Windows paths survive; so do the two of a network path.
 * @returns the words, or undefined when a quote is not closed.
 */
export function splitCommandLine(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of line.matchAll(piece)) {
    const [text, doubleQuoted, singleQuoted, blank, network] = match;
    end += text.length;
    if (blank === undefined) {
      word = (word ?? '') + (singleQuoted ?? network ?? unescape(doubleQuoted ?? text));
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (end < line.length) {
    return undefined; // what no piece fits is a quote that is not closed
  }
  return word === undefined ? words : [...words, word];
}

/**
 * Double-quoted text (also `C:\dir\`), single-quoted text, blanks, the beginning of a network path, or a character outside
 * of quotes; each match begins
 * where the last one ended.
 */
const piece =
  /"((?:[^"\\]|\\["'\\ ]|\\(?!["'\\ ]))*\\?)"|'([^']*)'|(\s+)|(?<!\S)(\\\\)(?=\w)|\\["'\\ ]|[^\s"']/guy;

function unescape(text: string): string {
  return text.replaceAll(/\\(["'\\ ])/gu, '$1');
}

/** The line whose words these are: {@link splitCommandLine} gives them back. */
export function joinCommandLine(words: readonly string[]): string {
  return words
    .map((word) =>
      /^[^\s"'\\]+$/u.test(word) ? word : `"${word.replaceAll(/["\\]/gu, String.raw`\$&`)}"`,
    )
    .join(' ');
}

/** Names of files and folders that do not describe a server. */
const saysNothing = /^(?:index|main|server|cli|run|start|app|dist|build|out|lib|src|bin|mcp)$/iu;
/** Options of `docker run` that take the next word as their value. */
const withValue =
  /^(?:-e|--env|--env-file|-v|--volume|--mount|-p|--publish|--name|--network|--net|-w|--workdir|-u|--user|--platform|--entrypoint|--add-host|--label|-l|--cap-(?:add|drop)|--cpus|--device|--dns|--gpus|--group-add|--hostname|--ipc|--log-(?:driver|opt)|--memory|--pid|--pids-limit|--pull|--restart|--runtime|--security-opt|--shm-size|--tmpfs|--ulimit|--userns|--directory|--from|--project|--with|--python)$/u;

const containers = /^(?:docker|podman|nerdctl)$/iu;
/** Words between a program, such as docker, uv, npm or dotnet, and what it runs. */
const subcommand = /^(?:run|container|x|tool|exec|dlx)$/u;

/** `npx -y @scope/server-time@1.2` gives `server-time`, `docker run -i mcp/time:latest` gives `time`. */
export function suggestName(command: string, args: readonly string[]): string {
  const program = baseName(command);
  const module = args[args.indexOf('-m') + 1];
  if (args.includes('-m') && module !== undefined && program.startsWith('python')) {
    return module;
  }
  const subject = args[subjectIndex(args)] ?? command;
  return containers.test(program)
    ? baseName((subject.split('@sha256:', 1)[0] ?? '').replace(/:[\w.-]+$/u, ''))
    : baseName(subject);
}

/** Where in its arguments the image stands that docker, podman or nerdctl runs; -1 when no image is run. */
export function imageIndex(command: string, args: readonly string[]): number {
  const index = containers.test(baseName(command)) ? subjectIndex(args) : -1;
  return args.slice(0, Math.max(index, 0)).includes('run') ? index : -1;
}

/** The last descriptive part of a path or package name, without version and file type. */
export function baseName(subject: string): string {
  const parts = subject
    .split(/[\\/]/u)
    .map((part) =>
      part.replace(/(?<=.)@[^@]*$/u, '').replace(/\.(?:[cm]?[jt]s|py|exe|cmd|sh|jar)$/iu, ''),
    )
    .filter((part) => part !== '');
  return parts.findLast((part) => !saysNothing.test(part)) ?? parts.at(-1) ?? subject;
}

function subjectIndex(args: readonly string[]): number {
  return args.findIndex(
    (word, index) =>
      !word.startsWith('-') && !subcommand.test(word) && !withValue.test(args[index - 1] ?? ''),
  );
}
