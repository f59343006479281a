import { resolve } from 'node:path';

import { catalogue } from '#compiler/catalogue.ts';
import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { CommandInfo } from '#schemas/types/command.ts';

import { nearest } from '#compiler/engine/nearest.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';
import { answer } from '../answer.ts';
import { listText, showText } from './view.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const { positional, options } = args;
  const [action = 'list', name] = positional;
  if (action === 'show') return show(name, args, terminal);
  if (action === 'reference') return reference(options['out'], terminal);
  if (action === 'search' && name === undefined)
    throw fail.argumentMissing({ verb: 'commands search', argument: 'NAME' });
  const found = (await catalogue.all()).filter((info) => matches(info, name));
  const running = found.filter(({ implemented }) => implemented);
  // Programs that read the list ask for all of it, and see in it what runs.
  const isAll = options['implemented'] !== true && (options['all'] === true || options['json'] === true);
  const shown = isAll ? found : running;
  const planned = found.length - running.length;
  answer(shown.map(summary), () => listText(shown, { planned, isAll }, terminal.colours.out), args, terminal);
  return 0;
}

/** Whether all words stand in what is said of a command. */
function matches(info: CommandInfo, text: string | undefined): boolean {
  const { name, domain, group, family, summary: about, notes } = info;
  const said = [name, `${domain}/${group}/${family}`, about, ...notes].join('\n').toLowerCase();
  const words = text?.toLowerCase().split(/\s+/) ?? [];
  return words.every((word) => said.includes(word));
}

function summary({ name, domain, family, summary: about, effects, implemented, in_spec }: CommandInfo): object {
  return { name, domain, family, summary: about, effects, implemented, in_spec };
}

async function show(asked: string | undefined, args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  if (asked === undefined) throw fail.argumentMissing({ verb: 'commands show', argument: 'NAME' });
  const name = catalogue.isAlias(asked) ? (catalogue.replacement(asked) ?? asked) : asked;
  await catalogue.prepare([name]);
  const info = catalogue.get(name);
  if (!info) throw fail.commandNotFound({ name, ...nearest(name, catalogue.allNames) });
  answer(info, () => showText(info, terminal.colours.out), args, terminal);
  return 0;
}

async function reference(out: string | true | readonly string[] | undefined, terminal: Terminal): Promise<ExitStatus> {
  const { referenceText } = await import('#compiler/reference.ts');
  const text = referenceText(await catalogue.all());
  if (typeof out !== 'string') terminal.out(text);
  else {
    await writeOutput(resolve(terminal.cwd, out), text, [terminal.cwd]);
    terminal.err(`${printableLine(out)} written\n`);
  }
  return 0;
}
