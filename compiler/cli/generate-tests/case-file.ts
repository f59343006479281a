import type { ImportedFile } from '#grammar/import/file.ts';
import type { TestCase } from '#grammar/openapi/generate/test-case.ts';

/** Action file of generated tests; it goes on behind one that fails. */
export function caseFile(
  cases: readonly TestCase[],
  { seed, start, openapi }: { readonly seed: number; readonly start: string; readonly openapi?: string },
): ImportedFile {
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(start);
  return {
    from: `svc generate-tests, seed ${seed}`,
    meta: {
      inputs: { base_url: { type: 'string', ...(isWhole ? { default: start } : {}) } },
      on_failure: 'continue',
      ...(openapi === undefined ? {} : { openapi }),
    },
    steps: cases.flatMap(({ steps }) =>
      steps.map(({ params, options }) => ({ action: ['AT_test_api_method', params] as const, options, lost: [] })),
    ),
    lost: [],
    secrets: [],
  };
}

/** Name of the file in which a failing test is saved. */
export function fileName(number: number, name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${String(number).padStart(3, '0')}-${words.slice(0, 60)}.yaml`;
}
