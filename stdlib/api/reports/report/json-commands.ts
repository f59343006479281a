import { commandRaising } from '#stdlib/command.ts';

import { artifactPath } from '../artifact-path.ts';
import { writeReport } from '../write-report.ts';
import { diffRuns } from './diff-runs.ts';
import { indented, jsonReport } from './json-report.ts';
import { needed } from './needed.ts';

const command = commandRaising('APIJsonReportException');

export const AT_generate_json = command('AT_generate_json', (_, ctx) => jsonReport(needed(ctx)));

export const AT_generate_json_report = command('AT_generate_json_report', async ({ json_file_name: name }, ctx) => {
  const [successes, failures] = jsonReport(needed(ctx));
  await writeReport(`${name}_success.json`, indented(successes), ctx);
  await writeReport(`${name}_failure.json`, indented(failures), ctx);
});

export const AT_diff_runs = command('AT_diff_runs', async (params, ctx) =>
  diffRuns(artifactPath(params.previous_failure_json, ctx), artifactPath(params.current_failure_json, ctx), ctx),
);
