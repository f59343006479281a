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
  const found = matching(await catalogue.all(), name);
  const running = found.filter(({ implemented }) => implemented);
  // Programs that read the list ask for all of it, and see in it what runs.
  const isAll = options['implemented'] !== true && (options['all'] === true || options['json'] === true);
  const shown = isAll ? found : running;
  const planned = found.length - running.length;
  answer(shown.map(summary), () => listText(shown, { planned, isAll }, terminal.colours.out), args, terminal);
  return 0;
}

/**
 * Commands of which all words are said, as beginnings of words: `har` is no part of `share`. Where no command has them
 * so, in the middle of words too. Those that are named so come first, then those whose summary says it.
 */
function matching(infos: readonly CommandInfo[], text: string | undefined): readonly CommandInfo[] {
  const words = text?.toLowerCase().match(/\S+/g) ?? [];
  if (words.length === 0) return infos;
  const begun = infos.filter((info) => words.every((word) => begins(saidOf(info), word)));
  if (begun.length === 0) return infos.filter((info) => words.every((word) => saidOf(info).includes(word)));
  const rank = ({ name, summary: about }: CommandInfo): number => {
    const own = name.toLowerCase();
    if (words.length === 1 && own.startsWith(words[0] ?? '')) return own === words[0] ? 0 : 1;
    if (words.every((word) => begins(own, word))) return 2;
    return words.every((word) => begins(`${own}\n${about.toLowerCase()}`, word)) ? 3 : 4;
  };
  return begun.toSorted((one, other) => rank(one) - rank(other));
}

function saidOf({ name, domain, group, family, summary: about, notes }: CommandInfo): string {
  return [name, `${domain}/${group}/${family}`, about, ...notes].join('\n').toLowerCase();
}

const isLetter = /[\p{L}\p{N}]/u;

/** Whether a word of the text begins with another; `_`, `-` and `/` stand between words. */
function begins(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isLetter.test(text.charAt(at - 1)) || !isLetter.test(word.charAt(0))) return true;
  return false;
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
