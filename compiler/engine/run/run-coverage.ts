import { Coverage, type CoverageReport, type Minimum } from '#grammar/openapi/coverage.ts';
import { exchangeFacts } from '#grammar/openapi/exchange-facts.ts';
import { readOpenApiFile } from '#grammar/openapi/read.ts';
import type { Reporter } from '#runtime/kernel/events.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import type { RunEvent } from '#schemas/types/run-event.ts';

/**
 * Compares what all steps of a run request with an OpenAPI document, each attempt and each redirect, by what steps
 * show. Nothing is requested for it.
 */
export class RunCoverage implements Reporter {
  readonly #coverage: Coverage;

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  event(event: RunEvent): void {
    if (event.kind !== 'step-finished') return;
    for (const shown of event.evidence) {
      if (shown.kind !== 'http' || !shown.response) continue;
      const { request, response } = shown;
      const facts = exchangeFacts(
        {
          method: request.method,
          url: request.url,
          status: response.status,
          requestHeaders: request.headers,
          requestBody: request.body,
          responseHeaders: response.headers,
          responseBody: response.body,
        },
        this.#coverage.basePath,
      );
      if (facts) this.#coverage.add(facts);
    }
  }

  report(minimum: Minimum): CoverageReport {
    return this.#coverage.report(minimum);
  }
}

/** Reads a document for a run to be compared with, with the files below the working directory that it refers to. */
export async function openRunCoverage(
  path: string,
  shown: string,
  { files, cwd }: Pick<Host, 'files' | 'cwd'>,
): Promise<RunCoverage> {
  if (!(await files.find(path))) throw fail.specUnreadable({ path: shown, reason: 'there is no such file' });
  const text = new TextDecoder().decode(await files.read(path));
  const read = await readOpenApiFile(text, { path, root: cwd, files });
  if ('error' in read) throw fail.specUnreadable({ path: shown, reason: read.error });
  return new RunCoverage(new Coverage(read.document));
}
