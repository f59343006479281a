import type { Message } from '../messages/read.ts';
import { Cache } from '../cache.ts';
import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';

import { catalogueChunk, catalogueIndex, isImplemented } from './catalogue.ts';
import { commandMap } from './command-map.ts';
import type { Declaration, Family } from './declaration.ts';
import { familyKey } from './declaration.ts';
import type { Implementations } from './implementations.ts';
import { findImplementations } from './implementations.ts';
import { checkChosen } from './check-chosen.ts';
import { checkImplemented } from './check-implemented.ts';
import { loadFamilies } from './load.ts';
import type { Port } from './ports.ts';
import { kernelPorts, readPorts } from './ports.ts';
import {
  choicesModule,
  implementedList,
  openersModule,
  portFactsModule,
  portsModule,
  registryModule,
} from './registry.ts';
import { familyTypes } from './types.ts';
import { familyValidators, formatsModule, validatorSupport, validatorsIndex, validatorTypes } from './validators.ts';

/** Declarations, for those who make more of them. */
export interface Declared {
  readonly families: readonly Family[];
  readonly ports: readonly Port[];
  readonly canRun: (declaration: Declaration) => boolean;
}

/** Everything that comes of the declarations of `stdlib`. */
export async function writeCommands(
  root: string,
  outputs: Outputs,
  mistakes: Mistakes,
  messages: readonly Message[],
): Promise<Declared> {
  const families = loadFamilies(root, mistakes);
  const implementations = findImplementations(root, families, mistakes);
  const ports = readPorts(root, failureSlugs(messages), mistakes);
  checkChosen(families, ports, mistakes);
  checkImplemented(
    families,
    implementations,
    new Set([...kernelPorts(root), ...ports.map(({ port }) => port)]),
    messages,
    mistakes,
  );
  outputs.add('command-map.ts', commandMap(families), 'built');
  outputs.add('registry.ts', registryModule(families, implementations), 'built');
  outputs.add('implemented.txt', implementedList(implementations), 'checked-in');
  outputs.add('ports.ts', portsModule(ports), 'built');
  outputs.add('port-facts.ts', portFactsModule(ports), 'built');
  outputs.add('choices.ts', choicesModule(ports), 'built');
  outputs.add('openers.ts', openersModule(families, implementations), 'built');
  outputs.add('catalogue.ts', catalogueIndex(families), 'built');
  outputs.add('validators.ts', validatorsIndex(families), 'built');
  outputs.add('formats.ts', formatsModule(), 'built');
  outputs.add('validators/support.js', validatorSupport, 'built');
  const cache = new Cache(root);
  for (const family of families) await writeFamily(family, implementations, outputs, cache, mistakes);
  return { families, ports, canRun: (declaration) => isImplemented(declaration, implementations) };
}

async function writeFamily(
  family: Family,
  implementations: Implementations,
  outputs: Outputs,
  cache: Cache,
  mistakes: Mistakes,
): Promise<void> {
  const key = familyKey(family);
  outputs.add(`${key}.d.ts`, await familyTypes(family, cache), 'checked-in');
  outputs.add(`catalogue/${key}.ts`, catalogueChunk(family, implementations), 'built');
  outputs.add(`validators/${key}.js`, await familyValidators(family, cache, mistakes), 'built');
  outputs.add(`validators/${key}.d.ts`, validatorTypes(family), 'built');
}

function failureSlugs(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.filter(({ metadata }) => metadata.class !== undefined).map(({ slug }) => slug));
}
