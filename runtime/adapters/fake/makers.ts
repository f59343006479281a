import { dateMakers } from './dates.ts';
import type { Maker } from './maker.ts';
import { networkMakers } from './network.ts';
import { numberMakers } from './numbers.ts';
import { peopleMakers } from './people.ts';
import { textMakers } from './texts.ts';

/** Makers by their names, those that existing files use. */
export const makers: ReadonlyMap<string, Maker> = new Map(
  Object.entries({ ...peopleMakers, ...networkMakers, ...textMakers, ...numberMakers, ...dateMakers }),
);
