import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { isStepOption } from '../1-read/vocabulary.ts';

import { optionMeant } from './other-options.ts';

/** Keys of a step of another tool, told apart. */
export interface Carried {
  /** Step options, by our names and with our values. */
  readonly options: Readonly<Record<string, Json>>;
  /** Keys that are no step option in any tool. */
  readonly others: readonly string[];
}

/** The step options among the keys of a step of another tool. One whose value cannot be carried is an other. */
export function optionsCarried(step: JsonObject, passedOver: readonly string[]): Carried {
  const options: Record<string, Json> = {};
  const others: string[] = [];
  for (const [key, value] of Object.entries(step)) {
    if (passedOver.includes(key)) continue;
    const meant = key === 'if' ? { option: 'when', value } : optionMeant(key, value);
    if (isStepOption(key)) options[key] = value;
    else if (meant?.value === undefined || isObject(value)) others.push(key);
    else options[meant.option] = meant.value;
  }
  return { options, others };
}
