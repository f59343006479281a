import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../compiler/decisions');
const records = readdirSync(folder).toSorted();

describe('decision records', () => {
  it('have each a number of its own', () => {
    const numbers = records.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]));
    expect(numbers.every((number) => number > 0)).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(records)('%s has its number in the heading and 40 lines at most', (name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^# ${name.slice(0, 4)} \\S`));
    expect(lines.length).toBeLessThanOrEqual(40);
  });
});
