import { readFileSync } from 'node:fs';
import path from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { check } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { CommandExample, CommandInfo } from '#schemas/types/command.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { isActionFile } from './action-file-validator.ts';

const root = path.resolve(import.meta.dirname, '../..');
const catalogue = openCatalogue();
const all = (await catalogue.all()).flatMap((info) =>
  (info.examples ?? []).map((example, index): [string, CommandInfo, CommandExample] => [
    `${info.name} ${index}`,
    info,
    example,
  ]),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const isPlan = ajv.compile(
  JSON.parse(readFileSync(path.join(root, 'schemas/contracts/plan.schema.json'), 'utf8')) as object,
);

/** Steps that open what a world has open already. */
const openers: Readonly<Record<string, Json>> = {
  webdriver: ['WR_new_driver', { webdriver_name: 'chrome' }],
  playwright: ['WR_pw_launch'],
  audit: ['FA_audit_open', { db_path: 'audit.db' }],
};

function stepsOf(info: CommandInfo, { before = [], given }: CommandExample, action: Json): readonly Json[] {
  const opener = given === undefined ? undefined : openers[engineOf(info, action)];
  return [...(opener === undefined ? [] : [opener]), ...before, action];
}

/** The engine whose session an action uses: it may be a parameter that says so. */
function engineOf({ sessions }: CommandInfo, action: Json): string {
  const params = Array.isArray(action) ? action[1] : undefined;
  const named = sessions?.by === undefined || !isObject(params) ? undefined : params[sessions.by];
  return typeof named === 'string' ? named : (sessions?.uses ?? '');
}

const checkActions = (actions: readonly Json[]) =>
  check(
    [{ path: '<stdin>', content: JSON.stringify(actions) }],
    { root: '/work', catalogue },
    memoryHost({ cwd: '/work' }),
  );

describe('examples of commands', () => {
  it.each(all.filter(([, , example]) => 'run' in example))(
    '%s fits the schema of action files and compiles to a plan',
    async (_, info, example) => {
      if (!('run' in example)) return;
      const actions = stepsOf(info, example, example.run);
      expect(isActionFile(actions), ajv.errorsText(isActionFile.errors?.slice(0, 3))).toBe(true);
      const compilation = await checkActions(actions);
      expect(
        compilation.diagnostics
          .filter(({ severity }) => severity === 'error')
          .map(({ code, message }) => `${code} ${message}`),
      ).toEqual([]);
      const { plan } = compilation.seal();
      expect(isPlan(plan), ajv.errorsText(isPlan.errors?.slice(0, 3))).toBe(true);
    },
  );

  it.each(all.filter(([, , example]) => 'rejects' in example && !example.with.startsWith('SVC8')))(
    '%s is refused by the compiler with its code',
    async (_, info, example) => {
      if (!('rejects' in example)) return;
      const { diagnostics } = await checkActions(stepsOf(info, example, example.rejects));
      expect(diagnostics.map(({ code }) => code)).toContain(example.with);
    },
  );
});
