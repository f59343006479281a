import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../built.ts';
import { hostileArchives } from '../commands/files/archives/hostile-archives.ts';
import { contained } from './row-case.ts';
import { sampled } from './sampled.ts';
import { svcWithin } from './within-limits.ts';
import { changes, openWorld } from './world.ts';

beforeAll(() => built(), 300_000);

/** Steps that unpack an archive, by name: the ways that take archives of a kind. */
const ways: Readonly<
  Record<string, { readonly takes: RegExp; readonly step: (source: string, target: string) => unknown }>
> = {
  FA_archive_extract: {
    takes: /./,
    step: (source, target) => ({ FA_archive_extract: { source, target }, on_failure: 'continue' }),
  },
  FA_unzip_all: {
    takes: /^zip:/,
    step: (source, target) => ({
      FA_unzip_all: { zip_file_path: source, extract_path: target },
      on_failure: 'continue',
    }),
  },
  FA_extract_tar: {
    takes: /^tar[:.]/,
    step: (source, target) => ({ FA_extract_tar: { source, target_dir: target }, on_failure: 'continue' }),
  },
};

describe.runIf(process.platform === 'linux')(
  'hostile archives in a run with closed gates, under limits, with its system calls noted',
  () => {
    // An ordinary run takes the command that knows every format; a full one the others, too.
    const chosen = Object.entries(ways).slice(0, process.env['SVC_TEST_FULL'] === '1' ? undefined : 1);
    it.each(chosen)(
      '%s',
      async (command, { takes, step }) => {
        const all = hostileArchives().filter(({ what }) => takes.test(what));
        if (command === 'FA_archive_extract') expect(all.length).toBeGreaterThanOrEqual(104);
        const archives = sampled(all, 0.5, ({ what }) => what);
        const world = openWorld();
        try {
          mkdirSync(join(world.box, 'in'));
          for (const [index, { bytes }] of archives.entries()) writeFileSync(join(world.box, `in/${index}`), bytes);
          writeFileSync(
            join(world.box, 'a.json'),
            JSON.stringify({ actions: archives.map((_archive, index) => step(`in/${index}`, `to/${index}`)) }),
          );
          const before = world.snapshot();
          const outcome = await svcWithin(
            world,
            ['run', '--deny', 'shell,packages,script,private', '--record', 'records.jsonl', 'a.json'],
            { seconds: 120, mib: 2048 },
          );
          expect([...contained(outcome.stdout), ...contained(outcome.stderr)]).toEqual([]);
          expect(outcome.exit, outcome.stderr).toBe(1);
          const records = readFileSync(join(world.box, 'records.jsonl'), 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as RunRecord);
          expect(
            archives.filter((_archive, index) => records[index]?.status !== 'failed').map(({ what }) => what),
            'archives that were unpacked',
          ).toEqual([]);
          const allowed = /^box$|^(?:box\/(?:\.svc|to|records\.jsonl)(?:\/|$)|home\/)|^home$/;
          const changed = changes(before, world.snapshot()).filter((path) => !allowed.test(path));
          expect(changed, 'changes').toEqual([]);
          const inside = new RegExp(`^${world.outer}/`);
          expect(
            outcome.trace.writes.filter((path) => !inside.test(path) && !path.startsWith('/dev/')),
            'writes',
          ).toEqual([]);
          expect(
            outcome.trace.writes.filter(
              (path) => path.startsWith(`${world.outer}/`) && !allowed.test(path.slice(world.outer.length + 1)),
            ),
            'writes',
          ).toEqual([]);
          expect(
            outcome.trace.reads.filter(
              (path) => path.startsWith('/etc/passwd') || path === join(world.outer, 'victim.txt'),
            ),
          ).toEqual([]);
          expect([outcome.trace.programs, outcome.trace.addresses]).toEqual([[], []]);
          for (const path of ['/evil-root', '/tmp/evil', '/tmp/evil-link']) expect(existsSync(path), path).toBe(false);
        } finally {
          world.close();
        }
      },
      600_000,
    );
  },
);
