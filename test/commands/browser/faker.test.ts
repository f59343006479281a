import { describe, expect, it } from 'vitest';

import { makers } from '#runtime/adapters/fake/makers.ts';

import { failureOf, session, type Session } from '../call.ts';

const fake = (unit: Session, method: string, kwargs: object = {}): Promise<unknown> =>
  unit.call('WR_faker', { method, args: [], kwargs });

describe('fake values', () => {
  it.each([...makers.keys()])('%s: the same seed gives the same, plain JSON', async (name) => {
    const values: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      await using unit = await session();
      await unit.call('WR_faker_seed', { seed: 7 });
      values.push(await fake(unit, name));
    }
    expect(values[0]).toEqual(values[1]);
    expect(JSON.parse(JSON.stringify(values[0]))).toEqual(values[0]);
    expect(values[0]).not.toBe('');
  });

  it('differ from one to the next, and between seeds', async () => {
    await using unit = await session();
    const uuids = new Set<unknown>();
    for (const seed of [1, 2, -1]) {
      await unit.call('WR_faker_seed', { seed });
      for (let count = 0; count < 20; count += 1) uuids.add(await unit.call('WR_faker_uuid'));
    }
    expect(uuids.size).toBe(60);
  });

  it('belong to nobody', async () => {
    await using unit = await session();
    for (let count = 0; count < 30; count += 1) {
      expect(await unit.call('WR_faker_email')).toMatch(/^[a-z.]+\d\d@example\.(?:com|net|org)$/);
      expect(await unit.call('WR_faker_url')).toMatch(/^https:\/\/[a-z-]+\.example\.(?:com|net|org)\/$/);
      expect(await unit.call('WR_faker_phone')).toMatch(/^\([2-9]{3}\) 555-01\d\d$/);
      expect(await fake(unit, 'ipv4')).toMatch(/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/);
      expect(await fake(unit, 'ipv6')).toMatch(/^2001:db8(?::[0-9a-f]{4}){6}$/);
      expect(hasCheckDigit(String(await unit.call('WR_faker_credit_card')))).toBe(true);
    }
  });

  it('keep to what is asked of them', async () => {
    await using unit = await session();
    for (const length of [4, 12, 40]) {
      const password = String(await unit.call('WR_faker_password', { length }));
      expect(password).toHaveLength(length);
      for (const kind of [/[a-z]/, /[A-Z]/, /\d/, /[^\w]|_/]) expect(password).toMatch(kind);
    }
    for (const max_chars of [5, 30, 200, 2000])
      expect(String(await unit.call('WR_faker_text', { max_chars })).length).toBeLessThanOrEqual(max_chars);
    expect(await fake(unit, 'pyint', { min_value: -3, max_value: -3 })).toBe(-3);
    expect(await fake(unit, 'random_int', { min: 10, max: 19, step: 10 })).toBe(10);
    expect(await fake(unit, 'bothify', { text: '##-??' })).toMatch(/^\d\d-[A-Za-z]{2}$/);
    expect(await fake(unit, 'date_between', { start_date: '2024-02-29', end_date: '2024-02-29' })).toBe('2024-02-29');
    const born = String(await fake(unit, 'date_of_birth', { minimum_age: 30, maximum_age: 30 }));
    const years = (Date.now() - Date.parse(born)) / (365.2425 * 86_400_000);
    expect(years).toBeGreaterThan(29.9);
    expect(years).toBeLessThan(31.1);
  });

  it.each([
    ['random_int', { min: 5, max: 4 }, /"max"/],
    ['random_int', { max: 1.5 }, /"max"/],
    ['words', { nb: 0 }, /"nb"/],
    ['words', { nb: '3' }, /"nb"/],
    ['password', { special_chars: false, digits: false, upper_case: false, lower_case: false }, /"lower_case"/],
    ['date', { end: 'someday' }, /"end"/],
    ['date_between', { start_date: 'now', end_date: '-1d' }, /"end_date"/],
    ['random_element', { elements: [] }, /"elements"/],
    ['email', { domain: 'a.b' }, /expected is nothing/],
  ])('%s refuses %j', async (method, kwargs, message) => {
    await using unit = await session();
    const failure = await failureOf(fake(unit, method, kwargs));
    expect(failure.facts).toMatchObject({ code: 'SVC82031', name: 'FakerError' });
    expect(failure.message).toMatch(message);
  });

  it.each(['emial', 'constructor', '__proto__', 'seed'])('%s is no maker', async (method) => {
    await using unit = await session();
    const failure = await failureOf(fake(unit, method));
    expect(failure.facts).toMatchObject({ code: 'SVC82030', name: 'FakerError' });
    if (method === 'emial') expect(failure.facts.help).toMatch(/"email"/);
  });

  it('take values by position, then by name, and none twice', async () => {
    await using unit = await session();
    expect(await unit.call('WR_faker', { method: 'pyint', args: [4], kwargs: { max_value: 4 } })).toBe(4);
    const twice = unit.call('WR_faker', { method: 'pyint', args: [4], kwargs: { min_value: 4 } });
    expect((await failureOf(twice)).message).toMatch(/given once/);
    const many = unit.call('WR_faker', { method: 'email', args: [1], kwargs: {} });
    expect((await failureOf(many)).message).toMatch(/position 1/);
  });
});

describe('every command of the families', () => {
  const calls = [
    ['WR_faker', { method: 'pyint' }],
    ...['address', 'credit_card', 'email', 'first_name', 'last_name', 'name', 'password', 'phone', 'text'].map(
      (name) => [`WR_faker_${name}`] as const,
    ),
    ...['url', 'user_agent', 'uuid'].map((name) => [`WR_faker_${name}`] as const),
    ['WR_user_factory', { count: 2 }],
    ['WR_product_factory'],
    ['WR_order_factory'],
  ] as const;

  async function drawn(seeds: { readonly unit?: number; readonly own?: number }): Promise<Session['records']> {
    await using unit = await session(seeds.unit === undefined ? {} : { unit: { seed: seeds.unit } });
    if (seeds.own !== undefined) await unit.call('WR_faker_seed', { seed: seeds.own });
    for (const [name, params] of calls) await unit.call(name, params);
    return [...unit.records];
  }

  it.each([
    ['of the file', { unit: 7 }, { unit: 8 }],
    ['of WR_faker_seed', { own: 7 }, { own: 8, unit: 7 }],
  ])('the same seed %s gives the same values, and stands in the records of what it gave', async (_, seed, other) => {
    const values = (records: Session['records']): unknown => records.map(({ result }) => result);
    const first = await drawn(seed);
    expect(values(await drawn(seed))).toEqual(values(first));
    expect(values(await drawn(other))).not.toEqual(values(first));
    // An order has nothing that is made up.
    expect(first.flatMap((record) => (record.seed === 7 ? [] : [record.command]))).toEqual(['WR_order_factory']);
    expect(first.at(-1)).not.toHaveProperty('seed');
  });

  it('a seed that nobody gave stands in the records too, and gives the same again', async () => {
    const [record] = await drawn({});
    if (record?.seed === undefined) throw new Error('no seed is recorded');
    expect((await drawn({ unit: record.seed }))[0]).toMatchObject({ result: record.result, seed: record.seed });
  });
});

describe('factories', () => {
  it('count on in a file, each kind on its own, with overrides last', async () => {
    await using unit = await session();
    const users = await unit.call('WR_user_factory', { count: 2, overrides: { name: 'Ann' } });
    expect(users).toMatchObject([
      { id: 1, name: 'Ann', email: 'user-1@example.com' },
      { id: 2, name: 'Ann', email: 'user-2@example.com' },
    ]);
    expect(Object.keys((users as object[])[0] ?? {})).toEqual(['id', 'name', 'email', 'password']);
    expect(await unit.call('WR_order_factory')).toEqual({ id: 1, amount: 100, currency: 'USD', status: 'pending' });
    expect(await unit.call('WR_product_factory', { overrides: { id: 'p1', colour: 'red' } })).toMatchObject({
      id: 'p1',
      colour: 'red',
      price: 19.99,
      in_stock: true,
    });
    expect(await unit.call('WR_user_factory')).toMatchObject({ id: 3 });
  });
});

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
