import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ActionSource } from '#runtime/adapters/compiler/port.ts';
import type { Ports } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';

import { session, type Session } from '../commands/session.ts';
import { shareOfThread } from '../fixtures/share-of-thread.ts';

const { signal } = new AbortController();
/** A mistake and an old name in one action. */
const ACTION: Json = ['WR_quit', { nonsense: 1 }];
const many = (count: number): readonly Json[] => Array.from({ length: count }, () => ACTION);

let unit: Session;
let compiler: Ports['compiler'];
let folder: string;
beforeAll(async () => {
  unit = await session();
  compiler = await unit.work.port('compiler', unit.work.linked);
  folder = await mkdtemp(join(tmpdir(), 'svc-compiler-'));
});
afterAll(async () => {
  await unit.end();
  await rm(folder, { recursive: true });
});

async function inFile(count: number): Promise<ActionSource> {
  const path = join(folder, `${count}.json`);
  await writeFile(path, JSON.stringify(many(count)));
  return { path };
}

describe.each(['data', 'path'] as const)('a long text, given as its %s', (way) => {
  const given = async (count: number): Promise<ActionSource> =>
    way === 'data' ? { data: [...many(count)] } : inFile(count);

  it('is looked at while the event loop is free', async () => {
    const source = await given(10_000);
    const share = await shareOfThread(async () => {
      expect((await compiler.lint(source, signal)).length).toBeGreaterThanOrEqual(10_000);
    });
    expect(share).toBeLessThan(0.5);
  });

  it('has the findings of a short one, and changes as it does', async () => {
    const [short, long] = [await given(3), await given(2000)];
    const errors = await compiler.check(short, signal);
    expect(errors).not.toEqual([]);
    const shown = (text: string): string => text.replace('2000.json', '3.json');
    expect((await compiler.check(long, signal)).slice(0, errors.length).map(shown)).toEqual(errors);
    const findings = await compiler.lint(short, signal);
    const found = (await compiler.lint(long, signal)).slice(0, findings.length);
    expect(found.map((each) => ({ ...each, location: shown(each.location) }))).toEqual(findings);
    const few = await compiler.migrate(short, signal);
    expect(few.changes[0]).toEqual({ index: 0, from: 'WR_quit', to: 'WR_quit_all' });
    const { changes, text } = await compiler.migrate(long, signal);
    expect([changes.length, changes.at(-1)]).toEqual([2000, { ...few.changes[0], index: 1999 }]);
    expect((JSON.parse(text) as readonly Json[])[1999]).toEqual((JSON.parse(few.text) as readonly Json[])[0]);
  });

  it('is let go when nobody waits for it any more', async () => {
    const stop = new AbortController();
    const looked = compiler.check(await given(20_000), stop.signal);
    setTimeout(() => stop.abort(new Error('gone')), 50);
    await expect(looked).rejects.toThrow('gone');
    expect(await compiler.check(await given(2000), signal)).not.toEqual([]);
  });
});

it('a long text that cannot be read is refused in the words of a short one', async () => {
  const [short, long] = [join(folder, 'short.json'), join(folder, 'long.json')];
  await writeFile(short, `${JSON.stringify(many(3))}]`);
  await writeFile(long, `${JSON.stringify(many(2000))}]`);
  const refused = async (path: string): Promise<string> =>
    String(await compiler.migrate({ path }, signal).catch((error: unknown) => error)).replace(path, 'FILE');
  expect(await refused(short)).toMatch(/FILE/);
  expect(await refused(long)).toBe(await refused(short));
});
