import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { lookUp, namesOf } from '../../look-up.ts';
import { fillTemplate } from '../../template.ts';
import { extract } from './extract.ts';
import { namesIn } from './names-in.ts';

export const AT_set_variable = command('AT_set_variable', ({ name, value }, ctx) =>
  ctx.variables.set(name, value as Json),
);

export const AT_get_variable = command('AT_get_variable', ({ name, default: fallback }, ctx) =>
  ctx.variables.has(name) ? ctx.variables.get(name) : fallback,
);

export const AT_clear_variables = command('AT_clear_variables', (_, ctx) => ctx.variables.clear());

export const AT_extract_and_store = command('AT_extract_and_store', ({ response, path, name }, ctx) => {
  const given = (response ?? null) as Json;
  const source = given ?? ctx.variables.get('last_response');
  if (source === undefined) throw fail.extractNoResponse({ path });
  const value = extract(source, path, given === null ? 'last_response' : 'response');
  ctx.variables.set(name, value);
  return value;
});

export const AT_render_template = command('AT_render_template', ({ payload, store, strict }, ctx) => {
  const own = store as JsonObject | null;
  const names = own ? namesOf(own) : ctx.variables;
  return fillTemplate(payload as Json, {
    value: (name) => lookUp(name, names),
    missing: (name) => {
      if (strict) throw fail.templateUnknown({ name, present: namesIn(own ?? ctx.variables.all()) });
      return '';
    },
  });
});
