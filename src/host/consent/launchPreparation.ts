/**
 * The way from an entry of the settings to a launch that may run: describe, consent, ask for inputs,
 * resolve, in this order. Folders, environment and the envFile are read once a start, so that what
 * runs is what was consented to, even if a file changes while the dialog is open.
 */
import type { StartInputs } from '../config/contributedServers.ts';
import { inputOf } from '../config/inputs.ts';
import { anyPort, type DebugTarget, freePort, withDebugger } from '../config/debugLaunch.ts';
import {
  baseFolder,
  checkVariables,
  type LaunchContext,
  type Machine,
  textsOf,
} from '../config/launchContext.ts';
import { type Resolution, resolveLaunch } from '../config/resolveLaunch.ts';
import type { HostConfig, InputDefinition, ServerConfig } from '../config/serverConfig.ts';
import { withSandbox } from '../config/sandbox.ts';
import { referencesIn } from '../config/variables.ts';
import {
  inspectProgram,
  type LaunchInspection,
  type LaunchInspector,
} from '../diagnosis/launchInspection.ts';
import type { RootsSource, Workspace } from '../ports.ts';
import type { LaunchGate } from '../servers/prepareLaunch.ts';
import { describeLaunch } from './describeLaunch.ts';
import type { LaunchDescription } from './launchDescription.ts';
import type { StartConsent } from './startConsent.ts';

/** The policy, as far as it is asked here. */
export type LaunchConsent = Pick<
  StartConsent,
  'requireTrust' | 'needsConsent' | 'require' | 'isGranted'
>;

/** What stands in the way of a start that may ask nobody anything. */
export type Readiness = 'ready' | 'restricted' | 'needsConsent' | 'needsInput';

type Inputs = Pick<HostConfig, 'inputs'>;

export class LaunchPreparation implements LaunchGate, LaunchInspector {
  readonly #workspace: Workspace;
  readonly #roots: RootsSource;
  readonly #machine: Machine;
  readonly #inputs: StartInputs;
  readonly #consent: LaunchConsent;
  readonly #config: () => Inputs;
  readonly #system: NodeJS.Platform;

  constructor(parts: {
    readonly workspace: Workspace;
    readonly roots: RootsSource;
    readonly machine: Machine;
    readonly inputs: StartInputs;
    readonly consent: LaunchConsent;
    /** The configuration that counts now. */
    readonly config: () => Inputs;
    /** Another one than this in tests. */
    readonly system?: NodeJS.Platform;
  }) {
    this.#workspace = parts.workspace;
    this.#roots = parts.roots;
    this.#machine = parts.machine;
    this.#inputs = parts.inputs;
    this.#consent = parts.consent;
    this.#config = parts.config;
    this.#system = parts.system ?? process.platform;
  }

  /**
   * Asks what has to be asked and resolves the launch.
   * @throws McpError `denied`, `invalidConfig`, `cancelled` (a question was closed); the signal's reason
   */
  async prepare(server: ServerConfig, signal: AbortSignal): Promise<Resolution> {
    this.#consent.requireTrust(server);
    const config = this.#config();
    const context = this.#snapshot();
    const find = (id: string): InputDefinition => inputOf(config, server.scope, id);
    if (this.#consent.needsConsent(server)) {
      const description = await this.#describe(server, config, context);
      await this.#consent.require(server, description, signal);
    } else {
      await checkVariables(this.#sandboxed(server, context), context, find);
      await this.#consent.require(server, undefined, signal);
    }
    const debug = await debugTarget(server);
    const launched = debug === undefined ? server : withDebugger(server, String(debug.port));
    const resolution = await resolveLaunch(this.#sandboxed(launched, context), {
      ...context,
      inputOf: find,
      valueOf: async (input) => this.#inputs.value(server, input, signal),
    });
    signal.throwIfAborted();
    return debug === undefined ? resolution : { ...resolution, debug };
  }

  /**
   * Whether {@link prepare} would pass without asking: what starts on its own must open no dialog.
   * @throws McpError `invalidConfig`
   */
  async readiness(server: ServerConfig): Promise<Readiness> {
    const config = this.#config();
    const context = this.#snapshot();
    if (!this.#workspace.isTrusted) {
      return 'restricted';
    }
    if (this.#consent.needsConsent(server)) {
      const description = await this.#describe(server, config, context);
      if (!this.#consent.isGranted(server, description)) {
        return 'needsConsent';
      }
    }
    for (const { text } of textsOf(this.#sandboxed(server, context).launch)) {
      for (const reference of referencesIn(text)) {
        if (reference.kind === 'input') {
          const input = inputOf(config, server.scope, reference.id);
          if (!(await this.#inputs.has(server, input))) {
            return 'needsInput';
          }
        }
      }
    }
    return 'ready';
  }

  /** @throws McpError `invalidConfig` */
  async inspect(server: ServerConfig): Promise<LaunchInspection> {
    const config = this.#config();
    const context = this.#snapshot();
    const { launch, secrets } = await resolveLaunch(
      this.#sandboxed(withDebugger(server, anyPort), context),
      {
        ...context,
        inputOf: (id) => inputOf(config, server.scope, id),
        valueOf: async (input) =>
          (await this.#inputs.peek(server, input)) ?? `\${input:${input.id}}`,
      },
    );
    return launch.kind === 'stdio'
      ? { launch, secrets, program: await inspectProgram(launch, context.machine) }
      : { launch, secrets };
  }

  async #describe(
    server: ServerConfig,
    config: Inputs,
    context: LaunchContext,
  ): Promise<LaunchDescription> {
    const roots = new Set(this.#roots.rootsFor(server).map(({ uri }) => uri));
    return describeLaunch(this.#sandboxed(withDebugger(server, anyPort), context), {
      ...context,
      roots: context.folders.filter(({ uri }) => roots.has(uri)),
      inputOf: (id) => inputOf(config, server.scope, id),
    });
  }

  #sandboxed(server: ServerConfig, context: LaunchContext): ServerConfig {
    return withSandbox(server, this.#system, baseFolder(server, context));
  }

  #snapshot(): LaunchContext {
    const { platform, userHome, env, programs } = this.#machine;
    const files = new Map<string, Promise<string>>();
    const readFile = async (path: string): Promise<string> => {
      const text = files.get(path) ?? this.#machine.readFile(path);
      files.set(path, text);
      return text;
    };
    return {
      folders: [...this.#workspace.folders],
      machine: { platform, userHome, env: { ...env }, readFile, programs },
    };
  }
}

/** A port of its own for each start. */
async function debugTarget({ launch, dev }: ServerConfig): Promise<DebugTarget | undefined> {
  return launch.kind === 'stdio' && dev?.debug !== undefined
    ? { type: dev.debug.type, port: await freePort() }
    : undefined;
}
