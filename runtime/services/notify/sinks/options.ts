import * as fail from '#schemas/generated/failures.ts';

type Given = Readonly<Record<string, unknown>>;
type Kind = 'text' | 'address' | 'texts' | 'seconds' | 'port' | 'yes-no' | 'headers' | 'text-or-number';

export interface Field {
  readonly kind: Kind;
  readonly required?: true;
}

const words: Readonly<Record<Kind, string>> = {
  text: 'a text that is not empty',
  address: 'a text that is not empty',
  texts: 'a list of texts with at least one',
  seconds: 'a number above 0',
  port: 'a whole number from 1 to 65535',
  'yes-no': 'true or false',
  headers: 'an object of texts',
  'text-or-number': 'a text or a whole number',
};

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  address: isText,
  texts: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  seconds: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  port: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535,
  'yes-no': (value) => typeof value === 'boolean',
  headers: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((part) => typeof part === 'string'),
  'text-or-number': (value) => isText(value) || Number.isInteger(value),
};

/**
 * The options of a sink: known, present where required, of the right kind; null counts as not given. Fails without
 * showing a value.
 */
export function checkOptions(name: string, given: Given, fields: Readonly<Record<string, Field>>): Given {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  for (const key of Object.keys(set))
    if (!Object.hasOwn(fields, key))
      throw refuse(name, `there is no option "${key}", only ${Object.keys(fields).toSorted().join(', ')}`);
  for (const [key, { kind, required }] of Object.entries(fields)) {
    if (!Object.hasOwn(set, key)) {
      if (required) throw refuse(name, `the option "${key}" is missing`);
    } else if (!fits[kind](set[key])) throw refuse(name, `the option "${key}" must be ${words[kind]}`);
    // Its host is checked for each message. All of it may be secret.
    else if (kind === 'address' && !URL.canParse(set[key] as string)) throw fail.outboundAddressForm({ url: '***' });
  }
  return set;
}

export function refuse(name: string, reason: string): Error {
  return fail.sinkUnusable({ name, reason });
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
