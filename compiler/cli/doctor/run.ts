import { nodeHost } from '#runtime/hosts/node.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { version } from '#compiler/engine/version.ts';
import { answer } from '../answer.ts';
import { gatesOf } from '../run/request.ts';
import {
  browserFindings,
  configurationFinding,
  nodeFinding,
  packageFindings,
  rootFinding,
  type Finding,
} from '#compiler/engine/doctor.ts';
import { doctorText } from './view.ts';

/**
 * Exit 1 when something is missing that this version cannot work without; what only some commands need is no failure.
 */
export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const host = nodeHost({ cwd: terminal.cwd, env: terminal.env });
  const { settings, ...configuration } = await configurationFinding(terminal.cwd, host);
  const findings: readonly Finding[] = [
    nodeFinding(process.version),
    await rootFinding(terminal.cwd),
    configuration,
    ...(await browserFindings(host, settings, gatesOf(args).shell === true)),
    ...(await packageFindings()),
  ];
  const broken = findings.some(({ state }) => state === 'broken');
  answer({ version, findings }, () => doctorText(version, findings, terminal.colours.out), args, terminal);
  return broken ? 1 : 0;
}
