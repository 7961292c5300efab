/**
 * Chooses the model for a server: the one that the user set, else the first that a hint names, else the best match for
 * the priorities. Pure.
 */
import type { ModelPreferences } from '../../mcp/types/clientFeatures.ts';
import { type Model, idWithVendor } from '../models/model.ts';

export interface ModelChoice {
  readonly model: Model;
  readonly because:
    | { readonly kind: 'user' }
    /** The part of a name that the server requested. */
    | { readonly kind: 'hint'; readonly hint: string }
    | { readonly kind: 'priorities' }
    /** The server requested no model, or none that exists. */
    | { readonly kind: 'default' };
}

/** @param userModelId with its vendor */
export function chooseModel(
  models: readonly [Model, ...Model[]],
  preferences: ModelPreferences = {},
  userModelId?: string,
): ModelChoice {
  const own = models.find((model) => idWithVendor(model) === userModelId);
  if (own !== undefined) {
    return { model: own, because: { kind: 'user' } };
  }
  for (const { name } of preferences.hints ?? []) {
    const hint = name ?? '';
    const named = hint === '' ? [] : models.filter((model) => matches(model, hint));
    const [best] = ranked(named, preferences);
    if (best !== undefined) {
      return { model: best, because: { kind: 'hint', hint } };
    }
  }
  const [model = models[0]] = ranked(models, preferences);
  return { model, because: { kind: hasPriorities(preferences) ? 'priorities' : 'default' } };
}

/** A hint is a part of a model's name (SAMP-11); some vendors put those words only into id or family. */
function matches({ id, name, family }: Model, hint: string): boolean {
  const wanted = hint.trim().toLowerCase();
  return [id, name, family].some((text) => text.toLowerCase().includes(wanted));
}

function hasPriorities({
  costPriority = 0,
  speedPriority = 0,
  intelligencePriority = 0,
}: ModelPreferences): boolean {
  return costPriority > 0 || speedPriority > 0 || intelligencePriority > 0;
}

/** Best first; equal ones stay in the editor's order. */
function ranked(models: readonly Model[], preferences: ModelPreferences): readonly Model[] {
  const scored = models.map((model) => ({ model, score: scoreOf(model, preferences) }));
  return scored.toSorted((a, b) => b.score - a.score).map(({ model }) => model);
}

/**
 * The editor gives no price, speed or strength, but words in vendors' names do. A model without such words is in
 * between.
 */
function scoreOf(
  { id, name, family }: Model,
  { costPriority = 0, speedPriority = 0, intelligencePriority = 0 }: ModelPreferences,
): number {
  const words = new Set(`${id} ${name} ${family}`.toLowerCase().split(/[^a-z]+/u));
  const size = smallWords.some((word) => words.has(word))
    ? 0
    : largeWords.some((word) => words.has(word))
      ? 1
      : 0.5;
  return (costPriority + speedPriority) * (1 - size) + intelligencePriority * size;
}

const smallWords = ['mini', 'nano', 'micro', 'small', 'lite', 'fast', 'flash', 'haiku', 'turbo'];
const largeWords = ['opus', 'pro', 'large', 'max', 'ultra', 'thinking'];
