import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { printYaml } from '#grammar/document/print.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import { files } from '#runtime/hosts/node/all-files.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { answer } from '../answer.ts';
import { keepInputs } from '../keep-inputs.ts';
import { runCommand } from '../one-command/run-command.ts';
import { told } from '../one-command/told.ts';
import { many, need, one, outputOf } from '../options.ts';
import { readNamed } from '../read-named.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { options } = args;
  const [reports, paths] = [many(options, 'report'), many(options, 'run')];
  need(reports.length + paths.length > 0, 'openapi', '--report or --run');
  keepInputs([outputOf(options)], [...reports, ...paths], terminal.cwd);
  // The document is looked at before it goes where it belongs: one without operations goes nowhere.
  const folder = await files.temporaryDirectory('svc-openapi-').catch((cause: unknown) => {
    throw fail.outputNotWritten({ path: tmpdir(), reason: reasonOf(cause), cause });
  });
  try {
    return await runCommand(
      'AT_export_openapi',
      {
        output_path: join(folder, 'openapi.json'),
        title: one(options, 'title') ?? '',
        version: one(options, 'api-version') ?? '',
        report_paths: [...reports],
      },
      () => [],
      args,
      terminal,
      {
        after: paths,
        deliver: async (path) => await deliver(await readNamed(path, { files, cwd: terminal.cwd }), args, terminal),
      },
    );
  } finally {
    await files.removeTree(folder);
  }
}

async function deliver(json: string, args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const document = JSON.parse(json) as JsonObject;
  if (Object.keys(document['paths'] ?? {}).length === 0) return told(fail.openapiWithoutRequests({}), terminal);
  const output = outputOf(args.options);
  if (output === undefined) terminal.out(json, 'json');
  else {
    const text = /\.ya?ml$/i.test(output) ? `${printYaml(document)}\n` : json;
    await writeOutput(resolve(terminal.cwd, output), text, [terminal.cwd]);
    answer(output, () => `${printableLine(output)}\n`, args, terminal);
  }
  return 0;
}
