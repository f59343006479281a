import { readFile, writeFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isObject } from '#schemas/types/json.ts';

import { session, type Session } from '../../commands/call.ts';
import { chromium, describeInChromium } from '../../fixtures/chromium.ts';
import { servePages, type Pages } from '../../fixtures/chromium-pages.ts';
import { readScenarios, type Scenario } from './scenario.ts';
import { callsOf, type Call, type EngineName } from './verbs.ts';

/** Table of the scenarios that the engines answer differently; UPDATE=1 rewrites it. */
const table = new URL('differences.md', import.meta.url);
/** Least share of all scenarios that must give equal records. */
const equalShare = 0.95;
const engines = ['webdriver', 'playwright'] as const satisfies readonly EngineName[];
const scenarios = await readScenarios();

test('the table of differences is the one of the scenarios', async () => {
  const text = tableOf(scenarios);
  if (process.env['UPDATE'] === '1') await writeFile(table, text);
  expect(await readFile(table, 'utf8')).toBe(text);
  const differing = scenarios.filter(({ differs }) => differs !== undefined).length;
  expect(1 - differing / scenarios.length).toBeGreaterThanOrEqual(equalShare);
});

/** Longest wait (ms) of an action for its element. */
const patienceMs = 1200;
const starts: Readonly<Record<EngineName, readonly Call[]>> = {
  webdriver: [['WR_new_driver', { webdriver_name: 'chromium', options: ['--window-size=1000,800'] }]],
  playwright: [
    ['WR_pw_launch', {}],
    ['WR_pw_set_default_timeout', { timeout_ms: patienceMs }],
  ],
};

/** One browser for each engine and one site for all scenarios; both engines play at the same time. */
describeInChromium('both engines', () => {
  let pages: Pages;
  const units: Partial<Record<EngineName, Session>> = {};
  beforeAll(async () => {
    pages = await servePages();
    await Promise.all(
      engines.map(async (engine) => {
        const unit = await session({
          settings: { ...chromium.settings, limits: { browser_action_ms: patienceMs } },
          unit: { base_url: { lit: `${pages.url}/` } },
        });
        units[engine] = unit;
        for (const [command, given] of starts[engine]) await unit.call(command, given);
      }),
    );
  });
  afterAll(async () => {
    await Promise.all(Object.values(units).map((unit) => unit.end()));
    await pages[Symbol.asyncDispose]();
  });

  describe.each([...new Set(scenarios.map(({ subject }) => subject))])('%s', (subject) => {
    test.each(scenarios.filter((scenario) => scenario.subject === subject).map((each) => [each.name, each] as const))(
      '%s',
      async (_, scenario) => {
        const playing = engines.map((engine) => play(units[engine] as Session, engine, scenario));
        // Both end before the next scenario begins, whatever one of them met.
        await Promise.allSettled(playing);
        const [webdriver, playwright] = await Promise.all(playing);
        if (scenario.differs === undefined) expect(playwright).toEqual(webdriver);
        else expect(playwright, 'the engines no longer differ: take the reason away').not.toEqual(webdriver);
      },
    );
  });
});

interface Outcome {
  readonly result?: unknown;
  readonly error?: string;
}

/** Outcome of each step. Fails where it is not what the scenario wants of both. */
async function play(unit: Session, engine: EngineName, scenario: Scenario): Promise<readonly Outcome[]> {
  for (const [command, given] of callsOf(engine, 'open', { url: scenario.page })) await unit.call(command, given);
  const outcomes: Outcome[] = [];
  for (const [verb, params, ...wanted] of scenario.steps) {
    const outcome = await outcomeOf(unit, engine, verb, params);
    if (scenario.differs === undefined && wanted.length > 0)
      expect({ [engine]: shown(outcome) }, `${verb} ${JSON.stringify(params ?? {})}`).toEqual({ [engine]: wanted[0] });
    if (wanted.length === 0 && scenario.differs === undefined) expect(outcome.error, outcome.error).toBeUndefined();
    outcomes.push(outcome);
  }
  return outcomes;
}

async function outcomeOf(
  unit: Session,
  engine: EngineName,
  verb: string,
  params?: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  let result: unknown = null;
  for (const [command, given] of callsOf(engine, verb, params)) {
    const ended = await unit.step(command, given);
    if (ended.failure) return { error: ended.failure.facts.code };
    result = ended.result ?? null;
  }
  return { result: plainly(result) };
}

function shown({ error, result }: Outcome): unknown {
  return error === undefined ? result : { error };
}

/** Handles are alike whatever engine made them. */
function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly);
  if (!isObject(value)) return value;
  if (typeof value['$handle'] === 'string') return `<${value['$handle']}>`;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainly(part)]));
}

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
