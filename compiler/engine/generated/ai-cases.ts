import { exampleActions } from '#grammar/openapi/example-actions.ts';
import type { TestCase } from '#grammar/openapi/generate/test-case.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { openUnit } from '../unit-session.ts';

/** Tests of a document that a language model writes. `isFallback`: it gave nothing that can be used. */
export async function aiCases(
  document: JsonObject,
  { model, effort }: { readonly model?: string; readonly effort?: string },
  { host, settings }: { readonly host: Host; readonly settings: Partial<Settings> },
): Promise<{ readonly cases: readonly TestCase[]; readonly isFallback: boolean }> {
  await using unit = await openUnit({ host, settings, unit: { source: 'generated' } });
  await unit.call('AT_select_ai_backend', {
    name: 'provider',
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
  });
  const actions = (await unit.call('AT_generate_tests_from_openapi', { spec: document })) as readonly (readonly [
    string,
    JsonObject,
  ])[];
  const requests = actions.filter(([name]) => name === 'AT_test_api_method');
  const isFallback = JSON.stringify(actions) === JSON.stringify(exampleActions(document));
  const cases = requests.map(([, params], index): TestCase => {
    const name = `${String(params['http_method']).toUpperCase()} ${String(params['test_url'])} (${index + 1})`;
    return { kind: 'examples', name, steps: [{ params, options: { name } }] };
  });
  return { cases, isFallback };
}
