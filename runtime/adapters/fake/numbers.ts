import type { Arguments } from './arguments.ts';
import { plain, type Faker, type Maker } from './maker.ts';

const truth = plain((faker) => faker.datatype.boolean());

export const numberMakers: Readonly<Record<string, Maker>> = {
  boolean: truth,
  pybool: truth,
  random_int: {
    takes: { min: 0, max: 9999, step: 1 },
    make: (faker, given) => whole(faker, given, { min: 'min', max: 'max', step: given.count('step', 1, 1e9) }),
  },
  pyint: {
    takes: { min_value: 0, max_value: 9999 },
    make: (faker, given) => whole(faker, given, { min: 'min_value', max: 'max_value', step: 1 }),
  },
  random_digit: plain((faker) => faker.number.int({ min: 0, max: 9 })),
  random_number: {
    takes: { digits: 6 },
    make: (faker, given) => faker.number.int({ min: 0, max: 10 ** given.count('digits', 1, 15) - 1 }),
  },
  pyfloat: {
    takes: { min_value: 0, max_value: 1000, right_digits: 2 },
    make: (faker, given) => {
      const min = given.number('min_value');
      const max = given.number('max_value');
      if (max < min) throw given.unfit('max_value', `at least ${min}`);
      return faker.number.float({ min, max, fractionDigits: given.count('right_digits', 0, 10) });
    },
  },
};

function whole(
  faker: Faker,
  given: Arguments,
  { min, max, step }: { readonly min: string; readonly max: string; readonly step: number },
): number {
  const least = given.count(min, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const most = given.count(max, least, Number.MAX_SAFE_INTEGER);
  return least + step * faker.number.int({ min: 0, max: Math.floor((most - least) / step) });
}
