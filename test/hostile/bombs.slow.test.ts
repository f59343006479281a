import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { beyond, leftByVerbs } from './beyond.ts';
import { bombs, type Bomb, findsOf, jobOf, lay, longFindsOf, problemsOfBomb, rewrite, verbs } from './bomb-case.ts';
import type { JobResult } from './job.ts';
import { runJobs } from './run-jobs.ts';
import { sampled } from './sampled.ts';
import { openWorld, type World } from './world.ts';

const all = bombs().filter(({ name }) => name.includes(process.env['FILTER'] ?? ''));
const isFull = process.env['SVC_TEST_FULL'] === '1';
const chosen = sampled(all, 0.3, ({ name }) => name);
const topics = Map.groupBy(chosen, ({ name }) => name.slice(0, name.indexOf('/')));
/** Processor time of one verb for one bomb, on a machine that does other things too. */
const MOST_MS = 10_000;

let world: World;
beforeAll(() => {
  world = openWorld();
});
afterAll(() => world.close());

it('there are at least 109 bombs, each with its outcome', () => {
  if (!process.env['FILTER']) expect(all.length).toBeGreaterThanOrEqual(109);
  expect(all.filter(({ finds }) => finds === undefined).map(({ name }) => name)).toEqual([]);
});

describe.runIf(process.platform === 'linux')(
  'texts that cost little to write are read within limits of the system, and nothing outside is touched',
  () => {
    it.each([...topics])(
      '%s',
      async (_topic, group) => {
        // An ordinary run gives a third of the bombs to `check`, and every third of these to another verb; a full one all to all verbs.
        const given = group.flatMap((bomb, index) => {
          const root = lay(bomb, world.box);
          return verbs
            .filter((_verb, at) => isFull || at === 0 || (index % 3 === 0 && at === 1 + (index % (verbs.length - 1))))
            .map((verb) => ({ bomb, job: jobOf(bomb, root, verb) }));
        });
        const { results, traces } = await runJobs(
          world,
          given.map(({ job }) => job),
          { seconds: 120, mib: 1536 },
        );
        const problems = given.flatMap(({ bomb, job }, at) =>
          problemsOfBomb(results[at], MOST_MS).map(
            (problem) => `svc ${job.words.join(' ')}, ${bomb.name} (${bomb.about}): ${problem}`,
          ),
        );
        problems.push(...(await beyond(world, traces, leftByVerbs)));
        for (const [at, { bomb, job }] of given.entries())
          if (job.words[1] === '--json') problems.push(...problemsOfFinds(bomb, results[at]));
        for (const { name } of group) rmSync(join(world.box, name), { recursive: true });
        expect(problems).toEqual([]);
      },
      900_000,
    );
  },
);

function problemsOfFinds(bomb: Bomb, result: JobResult | undefined): readonly string[] {
  if (result === undefined || result.exit > 2) return [];
  const finds = findsOf(result);
  const long = longFindsOf(result);
  if (long.length > 0) return long.map((problem) => `${bomb.name}: ${problem}`);
  if (process.env['UPDATE'] === '1' && !process.env['CI']) rewrite(bomb, finds);
  else if (JSON.stringify(finds) !== JSON.stringify(bomb.finds))
    return [`${bomb.name}: check finds ${JSON.stringify(finds)}, not ${JSON.stringify(bomb.finds)}`];
  return [];
}
