import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { functionName } from '#compiler/generate/messages/constructors.ts';
import { readMessages } from '#compiler/generate/messages/read.ts';
import { Mistakes } from '#compiler/generate/mistakes.ts';
import { readPorts } from '#compiler/generate/commands/ports.ts';
import { portFacts } from '#schemas/generated/port-facts.ts';

const root = path.resolve(import.meta.dirname, '../..');
const slugs = new Map(
  readMessages(root, new Mistakes())
    .filter(({ metadata }) => metadata.class !== undefined)
    .map(({ slug }) => [functionName(slug), slug]),
);

/** The failures that a module's text makes: by `fail.name`, or by names that it imports. */
function madeIn(text: string): readonly string[] {
  const [, named = ''] = /^import \{([^}]*)\} from '#schemas\/generated\/failures\.ts';/m.exec(text) ?? [];
  const names = [
    ...named.split(',').map((name) => name.trim().replace(/ as .*/, '')),
    ...[...text.matchAll(/\bfail\.(\w+)/g)].map(([, name = '']) => name),
  ];
  return names.flatMap((name) => slugs.get(name) ?? []);
}

/** Modules that a module loads, types aside. */
function loadedBy(file: string, text: string): readonly string[] {
  const code = text.replace(/^import type [^;]*;/gm, '');
  return [...code.matchAll(/(?:from|import\()\s*'([#.][^']+\.ts)'/g)].map(([, specifier = '']) =>
    specifier.startsWith('#') ? specifier.slice(1) : path.posix.join(path.posix.dirname(file), specifier),
  );
}

/** Slugs of what a provider's module, and all that it loads, may throw. */
function thrownBy(module: string): readonly string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  const look = (file: string): void => {
    if (seen.has(file) || file.startsWith('schemas/generated/') || !existsSync(path.join(root, file))) return;
    seen.add(file);
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const slug of madeIn(text)) found.add(slug);
    for (const loaded of loadedBy(file, text)) look(loaded);
  };
  look(module);
  return [...found].toSorted();
}

describe('failures of providers', () => {
  it.each(Object.entries(portFacts))('stand in port.yaml, all that its code makes and no other: %s', (_, facts) => {
    expect(facts.failures).toEqual(thrownBy(facts.module.slice(1)));
  });

  it('are looked for in all modules behind a provider', () => {
    expect(portFacts['http']?.failures).toContain('http-timeout');
    expect(portFacts['playwright']?.failures).toContain('address-scheme-closed');
    expect(Object.values(portFacts).flatMap(({ failures }) => failures).length).toBeGreaterThan(80);
  });

  it('must be in the message catalogue', () => {
    const mistakes = new Mistakes();
    readPorts(root, new Set(['http-timeout']), mistakes);
    expect(mistakes.found.join('\n')).toContain('may throw "http-tls", which is no failure of the message catalogue');
    expect(mistakes.found.join('\n')).not.toContain('may throw "http-timeout"');
  });
});
