/**
 * Inputs that the user gave tools by hand, to offer them again: the last few of each tool, in this workspace, without
 * values that are or seem to be secret.
 */
import { isObject, isString, type JsonObject, stableStringify } from '../../base/json.ts';
import type { Tool, JsonSchema } from '../../mcp/types/lists.ts';
import type { ServerId } from '../config/serverConfig.ts';
import type { Memory } from '../storage.ts';
import { secretNames, seemsSecret } from '../schemas/seemsSecret.ts';

const memoryKey = 'mcpHost.toolInputs';

export const keptInputLimits = {
  /** Inputs of one tool. */
  perTool: 5,
  /** Inputs of all tools. */
  inAll: 100,
  /** Characters of one input as JSON; a longer one is not kept. */
  chars: 4_000,
} as const;

export interface EarlierInput {
  readonly input: JsonObject;
  /** Nothing was left out as secret. */
  readonly isWhole: boolean;
}

interface Kept extends EarlierInput {
  readonly server: string;
  readonly tool: string;
}

export class KeptInputs {
  readonly #memory: Memory;

  constructor(workspaceMemory: Memory) {
    this.#memory = workspaceMemory;
  }

  /** The newest first. */
  of(server: ServerId, tool: Tool): readonly EarlierInput[] {
    return this.#read()
      .filter(isOf(server, tool))
      .map(({ input, isWhole }) => ({ input, isWhole }));
  }

  /** An empty input is not worth keeping. */
  async keep(server: ServerId, tool: Tool, input: JsonObject): Promise<void> {
    const { perTool, inAll, chars } = keptInputLimits;
    const safe = withoutSecrets(input, tool.inputSchema);
    const text = stableStringify(safe);
    if (Object.keys(safe).length === 0 || text.length > chars) {
      return;
    }
    const isWhole = text === stableStringify(input);
    const earlier = this.#read()
      .filter(isOf(server, tool))
      .filter((other) => stableStringify(other.input) !== text);
    const kept: Kept = { server, tool: tool.name, input: safe, isWhole };
    const all = [...[kept, ...earlier].slice(0, perTool), ...this.#others(server, tool)];
    await this.#memory.set(memoryKey, all.slice(0, inAll));
  }

  async forget(server: ServerId, tool: Tool): Promise<void> {
    await this.#memory.set(memoryKey, this.#others(server, tool));
  }

  #others(server: ServerId, tool: Tool): readonly Kept[] {
    const isOwn = isOf(server, tool);
    return this.#read().filter((kept) => !isOwn(kept));
  }

  #read(): readonly Kept[] {
    const stored = this.#memory.get(memoryKey);
    const all: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return all.filter(isKept);
  }
}

function isOf(server: ServerId, { name }: Tool): (kept: Kept) => boolean {
  return (kept) => kept.server === server && kept.tool === name;
}

function isKept(value: unknown): value is Kept {
  return (
    isObject(value) &&
    isString(value['server']) &&
    isString(value['tool']) &&
    isObject(value['input']) &&
    typeof value['isWhole'] === 'boolean'
  );
}

/** Secret members are removed. */
function withoutSecrets(value: JsonObject, schema: JsonSchema): JsonObject {
  const names = secretNames(schema);
  const strip = (inner: unknown): unknown => {
    if (Array.isArray(inner)) {
      return inner.map(strip);
    }
    return isObject(inner) ? stripped(inner) : inner;
  };
  const stripped = (members: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(members)
        .filter(([key]) => !names.has(key) && !seemsSecret({ key }))
        .map(([key, inner]) => [key, strip(inner)]),
    );
  return stripped(value);
}
