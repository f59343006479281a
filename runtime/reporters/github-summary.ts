import type { RunEvent, RunOutcome } from '#runtime/kernel/events.ts';

import { countsText } from './counts-text.ts';
import { duration } from './duration.ts';
import { keptFiles } from './kept-paths.ts';
import { cell, failedLines, row, tableHead } from './markdown-rows.ts';
import { unitName } from './unit-name.ts';

/** Rows of each table, and reasons beside them. */
const MOST_ROWS = 50;
/** Bytes of all rows and reasons: GitHub takes 1 MiB of all that a step says. */
const MOST_BYTES = 60 * 1024;
/** Files that the command names with which they run again, and its length (UTF-16 units). */
const MOST_FILES = 10;
const LONGEST_COMMAND = 1_000;

/** Summary of a run for the page of a build: counts, time, steps that failed or were flaky, how to run again. */
export class GithubSummary {
  readonly #room = { bytes: MOST_BYTES };
  readonly #failed = new Rows(this.#room);
  readonly #flaky = new Rows(this.#room);
  readonly #reasons = new Rows(this.#room);
  #outcome: RunOutcome | undefined;

  event(event: RunEvent): void {
    if (event.kind === 'run-finished') this.#outcome = event.outcome;
    if (event.kind !== 'step-finished' || event.record.superseded) return;
    const { step, record, evidence } = event;
    if (record.status === 'failed') this.#failed.add(() => row(step, record, failedLines(record), keptFiles(evidence)));
    else if (record.flaky) this.#flaky.add(() => row(step, record, [`Passed after ${record.attempts} attempts.`]));
  }

  /** The summary in Markdown, of at most 64 KiB. */
  text(): string {
    const outcome = this.#outcome;
    if (!outcome) return '';
    const { status, counts, duration_ms: ms, stopped, files, refused = [] } = outcome;
    for (const { message, help } of refused)
      this.#reasons.add(() => [message, ...[help ?? []].flat()].map(cell).join('<br>'));
    for (const { file, reason, status: of } of files)
      if (of === 'failed' && reason !== undefined) this.#reasons.add(() => `**${cell(file)}**: ${cell(reason)}`);
    const lines = [
      `## ${status === 'passed' ? '✅ Passed' : '❌ Failed'}: ${countsText(counts)} in ${duration(ms)}`,
      ...(stopped === undefined ? [] : ['', `Stopped: ${cell(stopped)}`]),
      ...this.#reasons.paragraphs(),
      ...this.#failed.table('Failed'),
      ...this.#flaky.table('Flaky'),
      ...againLines(outcome),
    ];
    return `${lines.join('\n')}\n`;
  }
}

/** Lines that share the room of a summary; those for which there is none are counted. */
class Rows {
  readonly #room: { bytes: number };
  readonly #lines: string[] = [];
  #more = 0;

  constructor(room: { bytes: number }) {
    this.#room = room;
  }

  add(make: () => string): void {
    const line = this.#lines.length < MOST_ROWS ? make() : undefined;
    const bytes = line === undefined ? 0 : new TextEncoder().encode(`${line}\n\n`).length;
    if (line === undefined || bytes > this.#room.bytes) {
      this.#more += 1;
      return;
    }
    this.#room.bytes -= bytes;
    this.#lines.push(line);
  }

  table(title: string): readonly string[] {
    if (this.#lines.length + this.#more === 0) return [];
    return ['', `### ${title}`, '', ...tableHead, ...this.#lines, ...this.#rest()];
  }

  paragraphs(): readonly string[] {
    return [...this.#lines.flatMap((line) => ['', line]), ...this.#rest()];
  }

  #rest(): readonly string[] {
    return this.#more === 0 ? [] : ['', `… and ${this.#more} more.`];
  }
}

/** The seed, and the command that runs again what failed, as a block of code that takes no markup. */
function againLines({ status, seed, files, refused }: RunOutcome): readonly string[] {
  const seedLines = seed === undefined ? [] : ['', `Seed ${seed}.`];
  const failed = new Set(files.flatMap(({ file, status: of }) => (of === 'failed' ? [unitName(file).file] : [])));
  if (status === 'passed' || refused || failed.size === 0) return seedLines;
  const words = [...failed].map(shellWord).join(' ');
  const isShort = failed.size <= MOST_FILES && words.length <= LONGEST_COMMAND;
  const command = ['svc run', isShort ? words : '. --last-failed', ...(seed === undefined ? [] : ['--seed', seed])];
  return [
    ...seedLines,
    '',
    'To run again what failed, at the root of the project and with the options of this run:',
    '',
    `    ${command.join(' ')}`,
  ];
}

/** A path as a word of a shell that is no option. */
function shellWord(path: string): string {
  const line = `${path.startsWith('-') ? './' : ''}${path.replace(/\s/g, ' ')}`;
  return /^[\w./=@%+,:-]+$/.test(line) ? line : `'${line.replaceAll("'", String.raw`'\''`)}'`;
}
