import * as fail from '#schemas/generated/failures.ts';

import type { AiChoice, AiEffort } from './port.ts';

const efforts: readonly AiEffort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** Chosen backend: none, or a server of the chat-completions form. */
export type Chosen =
  | { readonly kind: 'noop' }
  | { readonly kind: 'provider'; readonly model?: string; readonly effort?: AiEffort };

/** A choice once it is sound. */
export function chosen({ name, model, effort }: AiChoice): Chosen {
  if (name === 'provider')
    return {
      kind: 'provider',
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
    };
  if (name !== 'noop')
    throw fail.aiBackendChoice({ reason: `there is no backend "${name}"; known are noop, provider` });
  if (model !== undefined || effort !== undefined)
    throw fail.aiBackendChoice({ reason: 'the backend "noop" has neither a model nor an effort' });
  return { kind: 'noop' };
}

/** Backend that the environment chooses; `noop` where it names none. */
export function chosenByEnvironment(get: (key: string) => string | undefined): Chosen {
  const [name = 'noop', model, effort] = ['SVC_AI_BACKEND', 'SVC_AI_MODEL', 'SVC_AI_EFFORT'].map(
    (key) => get(key) || undefined,
  );
  if (effort !== undefined && !efforts.includes(effort as AiEffort))
    throw fail.aiBackendChoice({ reason: `SVC_AI_EFFORT is "${effort}"; known are ${efforts.toSorted().join(', ')}` });
  // A model that stands in the environment of everybody is no mistake of a run that asks nobody.
  if (name === 'noop') return { kind: 'noop' };
  return chosen({
    name,
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort: effort as AiEffort }),
  });
}
