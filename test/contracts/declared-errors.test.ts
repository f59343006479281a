import { beforeAll, describe, expect, it } from 'vitest';

import { families } from '#schemas/generated/catalogue.ts';
import { registry } from '#schemas/generated/registry.ts';
import type { CommandInfo } from '#schemas/types/command.ts';

import { readThrownFailures, thrownIn, type ThrownFailures } from './thrown-failures.ts';

/** The kernel's own failures, which any step may end with: they stand in no declaration, unless a port makes them. */
const KERNEL = /^SVC80/;
const GATE_CLOSED = 'SVC80024';

/** Failures that the code of a command can make and that its steps never end with, and why: [command, why, codes]. */
const caught: readonly (readonly [command: RegExp, why: string, codes: readonly string[]])[] = [
  [/^AT_record_endpoint_latencies$/, 'a warning tells it', ['SVC84014']],
  [/^FA_copy_file$/, 'it is the cause of what the command says', ['SVC85001']],
  [/^FA_csv_to_jsonl$/, 'what was read is written, in UTF-8', ['SVC85026', 'SVC85027']],
  [/^FA_download_file$/, 'the digest is always SHA-256', ['SVC85050']],
  [
    /^FA_integrity_(?:check|start)$/,
    'what keeps a tree from being compared is an answer too',
    ['SVC85001', 'SVC85002', 'SVC85014', 'SVC85050', 'SVC85054', 'SVC85055', 'SVC85056', 'SVC86404'],
  ],
  [
    /^FA_sync_dir$/,
    'the result tells it in `errors`',
    ['SVC85009', 'SVC85022', 'SVC86203', 'SVC86204', 'SVC86205', 'SVC86206'],
  ],
  [/^FA_template_render_file$/, 'templates are read as UTF-8', ['SVC85041']],
  [/^FA_trash_(?:list|empty)$/, 'only what changes a can must be safe there', ['SVC86411', 'SVC86419']],
  [/^FA_trash_restore$/, 'only what is thrown away must fit its can', ['SVC86411']],
  [/^FA_unzip_file$/, 'one member is taken', ['SVC85034', 'SVC85037']],
  [/^FA_zip_file$/, 'only a file comes so far', ['SVC85022']],
  [/^WR_schedule$/, 'the job ends later, and a notice tells it', ['SVC82012']],
];
const isCaught = (name: string, code: string): boolean =>
  caught.some(([command, , codes]) => command.test(name) && codes.includes(code));

/**
 * Those that have a function: planned ones come in with theirs. An old name has the function of the one that migration
 * writes.
 */
const infos = (await Promise.all(families.map(({ load }) => load())))
  .flat()
  .filter(({ name }) => Object.hasOwn(registry, name));
let thrown: ThrownFailures;
beforeAll(async () => {
  thrown = await readThrownFailures();
}, 300_000);

describe('errors of a declaration', () => {
  it('are those that can happen: none is missing, none is false', () => {
    expect(infos.length).toBeGreaterThan(280);
    expect(infos.flatMap((info) => [...missing(info), ...impossible(info)])).toEqual([]);
  }, 300_000);

  it('leave out what is caught on the way, and nothing else is said to be', () => {
    const idle = caught.flatMap(([command, , codes]) => {
      const named = infos.filter(({ name }) => command.test(name));
      return codes
        .filter((code) => !named.some(({ name, errors }) => thrown.own(name).has(code) && !errors.includes(code)))
        .map((code) => `${command.source} ${code}`);
    });
    expect(idle).toEqual([]);
  });

  it('hold what the examples reject with', () => {
    const untold = infos.flatMap(({ name, errors, examples = [] }) =>
      examples.flatMap((example) =>
        'rejects' in example &&
        example.with.startsWith('SVC8') &&
        !KERNEL.test(example.with) &&
        !errors.includes(example.with)
          ? [`${name} rejects with ${example.with}`]
          : [],
      ),
    );
    expect(untold).toEqual([]);
  });
});

function missing({ name, errors, verdict }: CommandInfo): readonly string[] {
  const own = [...thrown.own(name), ...(verdict ? [thrown.codeOf(verdict.message)] : [])];
  const untold = own.filter((code) => !KERNEL.test(code) && !errors.includes(code) && !isCaught(name, code));
  return untold.map((code) => `${name} lacks ${code}`);
}

function impossible(info: CommandInfo): readonly string[] {
  const { name, errors, effects, needs, verdict } = info;
  const can = new Set([...thrown.own(name), ...thrown.ofPorts(needs)]);
  if (verdict) can.add(thrown.codeOf(verdict.message));
  if (info.gate !== undefined || thrown.asksGates(name)) can.add(GATE_CLOSED);
  if (effects.some((effect) => effect === 'fs-read' || effect === 'fs-write'))
    thrown.ofSystem.forEach((code) => can.add(code));
  // Behind these ports stands the compiler, which programs ask a package for.
  if (needs.includes('executor') || needs.includes('compiler')) thrown.ofCompiler.forEach((code) => can.add(code));
  return errors.filter((code) => !can.has(code)).map((code) => `${name} never ends with ${code}`);
}

describe('what a linked text can throw', () => {
  const text = `var one = (o) => make(85e3, "one", "One.", o);
var two = (o = {}) => make(85001, "two", "Two.", o);
var three = (o) => make2(85002, "three", "Three.", o);
var Thing = class {
  used() {
    throw one({});
  }
  unused() {
    throw two();
  }
  async alsoUnused(given) {
    this.unused();
    throw three(given);
  }
};
new Thing().used();
`;

  it('is what its constructors make, but not in methods that nobody names', () => {
    expect([...thrownIn(text)]).toEqual(['SVC85000']);
    expect([...thrownIn(`${text}new Thing().alsoUnused(1);\n`)]).toEqual(['SVC85000', 'SVC85001', 'SVC85002']);
  });
});
