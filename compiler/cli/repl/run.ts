import { openPrompt } from '#compiler/engine/prompt.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { onInterrupt, type Interrupt } from '#runtime/program/signals.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { gatesOf } from '../run/request.ts';
import { openWorkspace } from '../workspace.ts';

const PROMPT = 'svc> ';
const HELP = `An action a line, such as  AT_get_variable: { name: NAME }
\`svc commands list WORD\` finds commands, \`svc commands show COMMAND\` says how one is called; \`exit\` ends.
`;

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const workspace = await openWorkspace(args, terminal);
  const settings = runSettings(workspace.configuration.settings, { gates: gatesOf(args) });
  const abort = new AbortController();
  let interrupt: Interrupt | undefined;
  const stopListening = onInterrupt((caught) => {
    interrupt = caught;
    abort.abort(caught.signal);
  });
  const asks = args.options['no-prompt'] !== true;
  let failed = 0;
  try {
    await using prompt = await openPrompt(workspace, { settings, signal: abort.signal });
    const typed = asks ? terminal.typed?.(PROMPT, abort.signal) : undefined;
    const ask = (): void => {
      if (asks && !typed && !abort.signal.aborted) terminal.out(PROMPT);
    };
    ask();
    for await (const line of typed ?? terminal.lines(abort.signal)) {
      const text = line.trim();
      if (/^(?:exit|quit)$/i.test(text)) break;
      if (/^help$/i.test(text)) terminal.out(HELP);
      else if (text !== '' && !text.startsWith('#')) {
        const answer = await prompt.run(text);
        if (answer.failed) failed += 1;
        terminal.out(`${answer.text}\n`, 'json');
      }
      ask();
    }
    if (interrupt) return interrupt.status;
    return failed > 0 && !terminal.isTerminal ? 1 : 0;
  } finally {
    stopListening();
  }
}
