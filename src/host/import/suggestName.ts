/** Suggests a name for a server, from its command line. */

/** Names of files and folders that do not describe a server. */
const saysNothing = /^(?:index|main|server|cli|run|start|app|dist|build|out|lib|src|bin|mcp)$/iu;
/** Options of `docker run` that take the next word as their value. */
const withValue =
  /^(?:-e|--env|--env-file|-v|--volume|--mount|-p|--publish|--name|--network|--net|-w|--workdir|-u|--user|--platform|--entrypoint|--add-host|--label|-l|--directory|--from|--project|--with|--python|-p)$/u;

/** Words between a program and what it runs. */
const subcommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['docker', ['run', 'container']],
  ['podman', ['run', 'container']],
  ['nerdctl', ['run']],
  ['deno', ['run']],
  ['bun', ['run', 'x']],
  ['uv', ['run', 'tool']],
  ['pipx', ['run']],
  ['npm', ['exec', 'x']],
  ['pnpm', ['exec', 'dlx']],
  ['yarn', ['exec', 'dlx']],
  ['dotnet', ['run', 'exec']],
]);

/** `npx -y @scope/server-time@1.2` gives `server-time`, `docker run -i mcp/time:latest` gives `time`. */
export function suggestName(command: string, args: readonly string[]): string {
  const program = baseName(command);
  const isContainer = /^(?:docker|podman|nerdctl)$/u.test(program);
  const words = positional(args).filter((word) => !isSubcommand(program, word));
  const module = args[args.indexOf('-m') + 1];
  if (args.includes('-m') && module !== undefined && program.startsWith('python')) {
    return module;
  }
  const [subject = command] = words;
  return isContainer
    ? baseName((subject.split('@sha256:', 1)[0] ?? '').replace(/:[\w.-]+$/u, ''))
    : baseName(subject);
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

function positional(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => {
    const before = args[index - 1];
    return !word.startsWith('-') && !(before !== undefined && withValue.test(before));
  });
}

function isSubcommand(program: string, word: string): boolean {
  return subcommands.get(program)?.includes(word) === true;
}
