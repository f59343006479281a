import { readFile, writeFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { session, type Session } from '../../commands/call.ts';
import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { lanes } from '../../fixtures/lanes.ts';
import { sampled } from '../../hostile/sampled.ts';
import { patienceMs, play } from './play.ts';
import { readScenarios, type Scenario } from './scenario.ts';
import type { Call, EngineName } from './verbs.ts';

/** Table of the scenarios that the engines answer differently; UPDATE=1 rewrites it. */
const table = new URL('differences.md', import.meta.url);
/** Least share of all scenarios that must give equal records. */
const equalShare = 0.95;
const engines = ['webdriver', 'playwright'] as const satisfies readonly EngineName[];
const scenarios = await readScenarios();
/** Scenarios of this run: two thirds, by the commit; the table is about all. */
const chosen =
  process.env['UPDATE'] === '1' ? scenarios : sampled(scenarios, 0.66, ({ subject, name }) => `${subject} ${name}`);

test('the table of differences is the one of the scenarios', async () => {
  const text = tableOf(scenarios);
  if (process.env['UPDATE'] === '1') await writeFile(table, text);
  expect(await readFile(table, 'utf8')).toBe(text);
  const differing = scenarios.filter(({ differs }) => differs !== undefined).length;
  expect(1 - differing / scenarios.length).toBeGreaterThanOrEqual(equalShare);
});

/** Scenarios that play at once: most of their time is spent waiting for pages. */
const laneCount = 2;
/** Verbs that leave a page as it was: the next scenario may have it. */
const reading: ReadonlySet<string> = new Set(
  'attribute choose find find_all is_checked is_enabled is_visible locate locate_all property text title'.split(' '),
);
const starts: Readonly<Record<EngineName, readonly Call[]>> = {
  webdriver: [['WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=1000,800'] }]],
  playwright: [
    ['WR_pw_launch', {}],
    ['WR_pw_set_default_timeout', { timeout_ms: patienceMs }],
  ],
};

/** A browser of each engine, and the page that both still show as it was loaded. */
interface Lane {
  readonly units: Readonly<Record<EngineName, Session>>;
  untouched: string | undefined;
}

/** Both engines play at the same time, in a few lanes on one site. */
describeInChromium('both engines', () => {
  let pages: Pages;
  const opened: Session[] = [];
  beforeAll(async () => {
    pages = await servePages();
  });
  afterAll(async () => {
    await Promise.all(opened.map((unit) => unit.end()));
    await pages[Symbol.asyncDispose]();
  });
  async function start(engine: EngineName): Promise<Session> {
    const unit = await session({
      settings: { ...chromium.pages, limits: { browser_action_ms: patienceMs } },
      unit: { base_url: { lit: `${pages.url}/` } },
    });
    opened.push(unit);
    for (const [command, given] of starts[engine]) await unit.call(command, given);
    return unit;
  }
  const lane = lanes<Lane>(laneCount, async () => {
    const [webdriver, playwright] = await Promise.all([start('webdriver'), start('playwright')]);
    return { units: { webdriver, playwright }, untouched: undefined };
  });

  describe.each([...new Set(chosen.map(({ subject }) => subject))])('%s', (subject) => {
    test.concurrent.each(
      chosen.filter((scenario) => scenario.subject === subject).map((each) => [each.name, each] as const),
    )('%s', (_, scenario) =>
      lane(async (used) => {
        const isOpen = used.untouched === scenario.page;
        used.untouched = undefined;
        const playing = engines.map((engine) => play(used.units[engine], engine, scenario, isOpen));
        // Both end before the next scenario begins, whatever one of them met.
        await Promise.allSettled(playing);
        const [webdriver, playwright] = await Promise.all(playing);
        if (scenario.differs === undefined) expect(playwright).toEqual(webdriver);
        else expect(playwright, 'the engines no longer differ: take the reason away').not.toEqual(webdriver);
        if (scenario.steps.every(([verb]) => reading.has(verb))) used.untouched = scenario.page;
      }),
    );
  });
});

function tableOf(all: readonly Scenario[]): string {
  const subjects = [...new Set(all.map(({ subject }) => subject))];
  const differing = all.filter(({ differs }) => differs !== undefined);
  return `# What the two browser engines do differently

Written by \`UPDATE=1 npm test -- conformance/browser\` from \`scenarios/\`: ${all.length} scenarios, ${all.length - differing.length} with equal records.

| subject | scenarios | equal |
|---|---|---|
${subjects.map((subject) => rowOf(subject, all)).join('\n')}

${
  differing.length === 0
    ? 'None differs.'
    : `| subject | scenario | why |\n|---|---|---|\n${differing.map(({ subject, name, differs }) => `| ${subject} | ${name} | ${differs} |`).join('\n')}`
}
`;
}

function rowOf(subject: string, all: readonly Scenario[]): string {
  const own = all.filter((scenario) => scenario.subject === subject);
  return `| ${subject} | ${own.length} | ${own.filter(({ differs }) => differs === undefined).length} |`;
}
