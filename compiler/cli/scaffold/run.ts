import { resolve } from 'node:path';

import { printLiteral } from '#grammar/reference/print.ts';
import { importedJson, importedYaml } from '#grammar/import/write.ts';
import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { writeOutput } from '#compiler/engine/write-output.ts';
import { answer } from '../answer.ts';
import { meantSo } from '../import/meant-so.ts';
import { one } from '../options.ts';
import { openWorkspace } from '../workspace.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [url = '', out = ''] = args.positional;
  const workspace = await openWorkspace(args, terminal);
  const target = resolve(terminal.cwd, out);
  if (args.options['force'] !== true && (await workspace.host.files.find(target)))
    throw fail.alreadyThere({ path: out });
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) throw fail.scaffoldAddress({ url });
  const method = one(args.options, 'method') ?? 'get';
  const file = {
    from: 'svc scaffold',
    meta: {},
    steps: [
      {
        action: ['AT_test_api_method', { http_method: method, test_url: printLiteral(url) }] as const,
        options: {
          name: printLiteral(`${method.toUpperCase()} ${address.pathname}`),
          tags: ['smoke'],
          expect: 'result.status_code == 200',
        },
        lost: [],
      },
      {
        action: ['AT_assert_sla', { sla: { max_ms: 2000, p95_ms: 1500 } }] as const,
        options: { name: 'fast enough' },
        lost: [],
      },
    ],
    lost: [],
    secrets: [],
  };
  const text = /\.json$/i.test(out)
    ? importedJson(file, url)
    : importedYaml(file, url, await meantSo(target, importedYaml(file, url), workspace));
  await writeOutput(target, text, [terminal.cwd]);
  answer({ path: out }, () => `${printableLine(out)}\n`, args, terminal);
  return 0;
}
