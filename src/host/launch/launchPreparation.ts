/**
 * The way from an entry of the settings to a launch that may run: describe, consent, ask for inputs, resolve, in this
 * order. A user's own server is resolved first, and needs a consent only if something of it comes out of the workspace.
 * Folders, environment and envFile are read once per start, so that what runs is what was consented to, even if a file
 * changes while the dialog is open.
 */
import type { RootsSource } from '../roots/workspaceRoots.ts';
import type { Workspace } from '../config/workspace.ts';
import { isMcpError, type McpError } from '../../mcp/errors.ts';
import type { StartInputs } from './contributedServers.ts';
import { inputOf, inputsOf } from './inputs.ts';
import { anyPort, type DebugTarget, freePort, withDebugger } from './debugLaunch.ts';
import { checkVariables, type LaunchContext, type Machine, startFolder } from './launchContext.ts';
import { forbidden, forbiddingSetting, identityOf } from '../config/managedAccess.ts';
import { resolveLaunch } from './resolveLaunch.ts';
import type { ResolveContext } from './resolver.ts';
import type { HostConfig, InputDefinition, ServerConfig } from '../config/serverConfig.ts';
import { withSandbox } from './sandbox.ts';
import { inspectProgram } from './programSearch.ts';
import type {
  LaunchGate,
  LaunchInspection,
  LaunchInspector,
  Readiness,
  Resolution,
  ResolvedLaunch,
} from './launchGate.ts';
import { describeLaunch } from './describeLaunch.ts';
import type { DescribeContext } from './describing.ts';
import { fromWorkspace } from './fromWorkspace.ts';
import type { LaunchDescription } from './launchDescription.ts';
import type { StartConsent } from './startConsent.ts';

/** The part of the policy that is used here. */
export type LaunchConsent = Pick<
  StartConsent,
  'requireTrust' | 'isAlwaysAsked' | 'require' | 'requireContent' | 'isGranted' | 'isContentGranted'
>;

type Inputs = Pick<HostConfig, 'inputs'>;

/** All of a server that is always asked about is shown, wherever it is from. */
const noLook = async (): Promise<readonly string[]> => [];

export interface LaunchReviewer {
  /**
   * Describes all that the entry would run. Opens nothing outside of the workspace's folders.
   * @returns the description, and the problems that a start would fail on
   */
  review(
    server: ServerConfig,
  ): Promise<{ readonly description: LaunchDescription; readonly problems: readonly McpError[] }>;
}

export class LaunchPreparation implements LaunchGate, LaunchInspector, LaunchReviewer {
  readonly #parts: ConstructorParameters<typeof LaunchPreparation>[0];

  constructor(parts: {
    readonly workspace: Workspace;
    readonly roots: Pick<RootsSource, 'foldersFor'>;
    readonly machine: Machine;
    readonly inputs: StartInputs;
    readonly consent: LaunchConsent;
    /** The current configuration. */
    readonly config: () => Inputs;
    /** Texts that came with an unsaved entry, by the inputs that now stand for them. */
    readonly given?: DescribeContext['given'];
    /** Tests set another one. */
    readonly system?: NodeJS.Platform;
  }) {
    this.#parts = parts;
  }

  /**
   * Asks the necessary questions and resolves the launch.
   * @throws McpError `denied`, `forbidden`, `invalidConfig`, `cancelled` (a question was closed); the signal's reason
   */
  async prepare(server: ServerConfig, signal: AbortSignal): Promise<Resolution> {
    this.#parts.consent.requireTrust(server);
    const context = this.#snapshot();
    const resolving = this.#resolving(server, context, (input) =>
      this.#parts.inputs.value(server, input, signal, this.#inputsOf(server, context)),
    );
    if (this.#parts.consent.isAlwaysAsked(server)) {
      const allowed = await this.#requireConsent(server, context, noLook, signal);
      const resolution = await this.#resolve(server, resolving);
      // A question for an input may be open for hours, and files change meanwhile.
      await this.#requireConsent(server, context, noLook, signal, allowed);
      return resolution;
    }
    await this.#checkVariables(server, context);
    const resolution = await this.#resolve(server, resolving);
    const look = (): Promise<readonly string[]> =>
      fromWorkspace(withDebugger(server, anyPort), resolution.launch, resolving);
    if ((await look()).length > 0) {
      await this.#requireConsent(server, context, look, signal);
    } else {
      await this.#parts.consent.require(server, undefined, signal);
    }
    return resolution;
  }

  /**
   * Repeats the question until the consent matches the current state: files may change while a dialog is open.
   * @param look finds what a user's own server takes out of the workspace
   * @param allowed the state that was allowed before: nothing is asked while it is the same
   * @returns the state that is allowed
   */
  async #requireConsent(
    server: ServerConfig,
    context: LaunchContext,
    look: () => Promise<readonly string[]>,
    signal: AbortSignal,
    allowed?: string,
  ): Promise<string> {
    for (let known = allowed; ;) {
      const found = await look();
      const description = await this.#describe(server, context, found);
      if (known?.startsWith(description.hash) !== true) {
        await this.#parts.consent.require(server, description, signal);
      }
      const opened =
        description.unread.length === 0
          ? description
          : await this.#describe(server, { ...context, mayOpen: true }, found);
      const now = description.hash + opened.hash;
      if (now === known) {
        return now;
      }
      if (description.unread.length > 0) {
        await this.#parts.consent.requireContent(server, opened, description, signal);
      }
      known = now;
    }
  }

  async #resolve(server: ServerConfig, resolving: ResolveContext): Promise<Resolution> {
    const debug = await debugTarget(server);
    const launched = debug === undefined ? server : withDebugger(server, String(debug.port));
    const run = this.#sandboxed(launched, resolving);
    const resolution = await resolveLaunch(run, resolving);
    // An organization's rules apply to the command line without sandbox and debugger.
    const { launch } = run === server ? resolution : await resolveLaunch(server, resolving);
    this.#requireAccess(server, launch);
    return debug === undefined ? resolution : { ...resolution, debug };
  }

  /** Applies the organization's rules to the resolved values, also for an unsaved entry. @throws McpError `forbidden` */
  #requireAccess({ name }: ServerConfig, launch: ResolvedLaunch): void {
    const { access } = this.#parts.workspace;
    const setting = access && forbiddingSetting(access, identityOf(name, launch));
    if (setting !== undefined) {
      throw forbidden(name, setting);
    }
  }

  /**
   * Whether {@link prepare} would pass without asking: an automatic start must open no dialog.
   * @throws McpError `invalidConfig`
   */
  async readiness(server: ServerConfig): Promise<Readiness> {
    const context = this.#snapshot();
    if (!this.#parts.workspace.isTrusted) {
      return 'restricted';
    }
    const isAlwaysAsked = this.#parts.consent.isAlwaysAsked(server);
    const lacksInput = await this.#lacksInput(server, context);
    let found: readonly string[] = [];
    try {
      found = isAlwaysAsked ? [] : await this.#peekInside(server, context);
    } catch (error) {
      if (!lacksInput) {
        throw error;
      }
      // Without the value, a URL or a path may well be wrong. Variables are right or wrong without it.
      await this.#checkVariables(server, context);
      return 'needsInput';
    }
    if ((isAlwaysAsked || found.length > 0) && !(await this.#isAllowed(server, context, found))) {
      return 'needsConsent';
    }
    return lacksInput ? 'needsInput' : 'ready';
  }

  #checkVariables(server: ServerConfig, context: LaunchContext): Promise<void> {
    return checkVariables(this.#sandboxed(server, context), context, (id) =>
      inputOf(this.#parts.config(), server.scope, id),
    );
  }

  async #lacksInput(server: ServerConfig, context: LaunchContext): Promise<boolean> {
    for (const input of this.#inputsOf(server, context)) {
      if (!(await this.#parts.inputs.has(server, input))) {
        return true;
      }
    }
    return false;
  }

  /** In the order of the fields: those of what runs with debugger and sandbox, and of the entry. */
  #inputsOf(server: ServerConfig, context: LaunchContext): readonly InputDefinition[] {
    const config = this.#parts.config();
    const run = this.#sandboxed(withDebugger(server, anyPort), context);
    const ids = new Set([run, server].flatMap(({ launch }) => inputsOf({ launch })));
    return [...ids].map((id) => inputOf(config, server.scope, id));
  }

  async #isAllowed(
    server: ServerConfig,
    context: LaunchContext,
    found: readonly string[],
  ): Promise<boolean> {
    const description = await this.#describe(server, context, found);
    if (!this.#parts.consent.isGranted(server, description)) {
      return false;
    }
    return (
      description.unread.length === 0 ||
      this.#parts.consent.isContentGranted(
        server,
        await this.#describe(server, { ...context, mayOpen: true }, found),
      )
    );
  }

  async review(server: ServerConfig): ReturnType<LaunchReviewer['review']> {
    const problems: McpError[] = [];
    const onProblem = (problem: McpError): void => void problems.push(problem);
    const context = { ...this.#snapshot(), onProblem };
    const description = await this.#describe(server, context, []);
    return { description, problems };
  }

  /** @throws McpError `invalidConfig` */
  async inspect(server: ServerConfig): Promise<LaunchInspection> {
    const context = this.#snapshot();
    const { launch, secrets } = await this.#peek(server, context);
    return launch.kind === 'stdio'
      ? { launch, secrets, program: await inspectProgram(launch, context.machine) }
      : { launch, secrets };
  }

  /** What a user's own server would take out of the workspace, with the inputs that have a value. */
  async #peekInside(server: ServerConfig, context: LaunchContext): Promise<readonly string[]> {
    const { launch } = await this.#peek(server, context);
    return fromWorkspace(withDebugger(server, anyPort), launch, this.#peeking(server, context));
  }

  /** What would be started, with the inputs that have a value. */
  #peek(server: ServerConfig, context: LaunchContext): Promise<Resolution> {
    return resolveLaunch(
      this.#sandboxed(withDebugger(server, anyPort), context),
      this.#peeking(server, context),
    );
  }

  #peeking(server: ServerConfig, context: LaunchContext): ResolveContext {
    return this.#resolving(
      server,
      context,
      async (input) => (await this.#parts.inputs.peek(server, input)) ?? `\${input:${input.id}}`,
    );
  }

  #resolving(
    server: ServerConfig,
    context: LaunchContext,
    valueOf: ResolveContext['valueOf'],
  ): ResolveContext {
    const config = this.#parts.config();
    return { ...context, inputOf: (id) => inputOf(config, server.scope, id), valueOf };
  }

  /** @param found what a user's own server takes out of the workspace */
  async #describe(
    server: ServerConfig,
    context: LaunchContext & Pick<DescribeContext, 'mayOpen' | 'onProblem'>,
    found: readonly string[],
  ): Promise<LaunchDescription> {
    const { config, given } = this.#parts;
    const { inputs } = config();
    const whole = {
      ...context,
      roots: this.#parts.roots.foldersFor(server),
      inputOf: (id: string) => inputOf({ inputs }, server.scope, id),
      fromWorkspace: found,
      ...(given && { given }),
    };
    return describeLaunch(this.#asRun(server, whole), whole);
  }

  /** With the command line for debugger and sandbox. */
  #asRun(
    server: ServerConfig,
    context: LaunchContext & Pick<DescribeContext, 'onProblem'>,
  ): ServerConfig {
    try {
      return this.#sandboxed(withDebugger(server, anyPort), context);
    } catch (error) {
      if (context.onProblem === undefined || !isMcpError(error)) {
        throw error;
      }
      context.onProblem(error);
      return server;
    }
  }

  #sandboxed(server: ServerConfig, context: LaunchContext): ServerConfig {
    return server.sandbox === undefined
      ? server
      : withSandbox(server, this.#parts.system ?? process.platform, startFolder(server, context));
  }

  /** What is read and then used is read once; a pinned file is read by its program, so that its digest is always new. */
  #snapshot(): LaunchContext {
    const { machine } = this.#parts;
    const { platform, userHome, env, programs } = machine;
    const files = new Map<string, Promise<string>>();
    const readFile = async (path: string): Promise<string> => {
      const text = files.get(path) ?? machine.readFile(path);
      files.set(path, text);
      return text;
    };
    return {
      folders: this.#parts.workspace.folders,
      machine: {
        platform,
        userHome,
        env: { ...env },
        readFile,
        digest: (path) => machine.digest(path),
        programs,
      },
    };
  }
}

/** Chooses a free port for each start. */
async function debugTarget({ launch, dev }: ServerConfig): Promise<DebugTarget | undefined> {
  return launch.kind === 'stdio' && dev?.debug !== undefined
    ? { type: dev.debug.type, port: await freePort() }
    : undefined;
}
