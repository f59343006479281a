import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Mistakes } from '../mistakes.ts';

export type Metadata = Readonly<Partial<Record<MetadataKey, string>>>;
const keys = ['severity', 'class', 'kinds', 'exception', 'label', 'help', 'tags'] as const;
type MetadataKey = (typeof keys)[number];

/** One section of `schemas/messages/*.md`. */
export interface Message {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly slug: string;
  readonly metadata: Metadata;
  readonly text: string;
  readonly prose: string;
  readonly bad: readonly Example[];
  readonly good: readonly Example[];
}

/** A fenced block under `### Bad` or `### Good`; `name` is its file where an example has several. */
export interface Example {
  readonly language: string;
  readonly name?: string;
  readonly text: string;
}

/** Every message, in order of code. */
export function readMessages(root: string, mistakes: Mistakes): readonly Message[] {
  const folder = join(root, 'schemas/messages');
  const messages = readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .flatMap((name) => readFile(`schemas/messages/${name}`, readFileSync(join(folder, name), 'utf8'), mistakes));
  return messages.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
}

function readFile(file: string, text: string, mistakes: Mistakes): Message[] {
  const lines = text.split('\n');
  const starts = headings(lines);
  return starts.flatMap((start, index) => {
    const section = lines.slice(start, starts[index + 1] ?? lines.length);
    const message = readSection(file, start + 1, section, mistakes);
    return message ? [message] : [];
  });
}

/** Lines that begin a section; a `##` inside a fenced block is text. */
function headings(lines: readonly string[]): number[] {
  let fenced = false;
  return lines.flatMap((line, index) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return !fenced && line.startsWith('## ') ? [index] : [];
  });
}

function readSection(file: string, line: number, section: readonly string[], mistakes: Mistakes): Message | undefined {
  const heading = /^## (SVC[1-9][0-9]{4}) ([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/.exec(section[0]?.trimEnd() ?? '');
  if (!heading?.[1] || !heading[2]) {
    mistakes.add(file, `line ${line}`, `a section begins with "## SVC10234 its-slug", not with "${section[0] ?? ''}"`);
    return undefined;
  }
  const [, code, slug] = heading;
  const quoted: string[] = [];
  const metadata: Partial<Record<MetadataKey, string>> = {};
  let at = 1;
  for (; at < section.length; at++) {
    const current = section[at]?.trimEnd() ?? '';
    if (current.startsWith('>')) quoted.push(current.slice(1).trim());
    else if (current === '' && quoted.length === 0) continue;
    else if (!readMetadata(current, metadata, (message) => mistakes.add(file, `line ${line + at}`, message))) break;
  }
  const rest = section.slice(at).join('\n');
  const [prose = '', ...parts] = splitOutsideFences(rest);
  return {
    file,
    line,
    code,
    slug,
    metadata,
    text: quoted.join(' '),
    prose: prose.trim(),
    bad: examples(parts, 'Bad'),
    good: examples(parts, 'Good'),
  };
}

/** False where the line is no metadata: the prose begins. */
function readMetadata(
  line: string,
  metadata: Partial<Record<MetadataKey, string>>,
  mistake: (message: string) => void,
): boolean {
  const match = /^([a-z_]+): +(.+)$/.exec(line);
  if (!match?.[1] || match[2] === undefined) return false;
  const key = keys.find((known) => known === match[1]);
  if (!key) mistake(`"${match[1]}" is no metadata of a message; known are ${[...keys].sort().join(', ')}`);
  else if (metadata[key] !== undefined) mistake(`"${key}" stands there twice`);
  else metadata[key] = match[2].trim();
  return true;
}

/** The text before the first `### `, then each `### ` part with its title. */
function splitOutsideFences(text: string): string[] {
  const parts: string[] = [''];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (!fenced && line.startsWith('### ')) parts.push(line.slice(4) + '\n');
    else parts[parts.length - 1] += line + '\n';
  }
  return parts;
}

function examples(parts: readonly string[], title: string): Example[] {
  return parts.filter((part) => part.split('\n', 1)[0]?.trim() === title).flatMap(fences);
}

function fences(part: string): Example[] {
  return [...part.matchAll(/^( *)```(\S*)(?: +(\S+))? *\n([\s\S]*?)^ *``` *$/gm)].map(
    ([, indent = '', language = '', name, text = '']) => ({
      language,
      ...(name === undefined ? {} : { name }),
      text:
        indent === ''
          ? text
          : text
              .split('\n')
              .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
              .join('\n'),
    }),
  );
}
