import { describe, expect, it } from 'vitest';

import { findBreaches } from './imports/find-breaches.ts';
import { findCycles } from './imports/find-cycles.ts';
import { owners } from './imports/packages.ts';
import { importsOf, readGraph } from './imports/read-graph.ts';

describe('imports', () => {
  const graph = readGraph();

  it('are those that the rules allow', () => {
    expect(graph.length).toBeGreaterThan(200);
    expect(findBreaches(graph)).toEqual([]);
  });

  it('form no cycle', () => {
    expect(findCycles(graph)).toEqual([]);
  });

  it('use every package that a row names', () => {
    const used = new Set(graph.flatMap(({ target }) => (target.kind === 'package' ? [target.name] : [])));
    expect(Object.keys(owners).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('the rules', () => {
  const refused = (from: string, text: string): readonly string[] => findBreaches(importsOf(from, text));

  it.each([
    ['schemas/types/x.ts', "import { a } from '#grammar/source/text.ts';"],
    ['grammar/x/y.ts', "import type { Plan } from '#compiler/phases/3-parse/ast.ts';"],
    ['grammar/x/y.ts', "import { readFileSync } from 'node:fs';"],
    ['grammar/x/y.ts', "import ajv from 'ajv';"],
    ['compiler/phases/3-parse/x.ts', "import { emit } from '../7-emit/index.ts';"],
    ['compiler/phases/4-resolve/x.ts', "const x = await import('#stdlib/command.ts');"],
    ['compiler/phases/4-resolve/x.ts', "import { registry } from '#schemas/generated/registry.ts';"],
    ['runtime/kernel/x.ts', "import { join } from 'path';"],
    ['runtime/kernel/x.ts', "type T = import('#grammar/source/text.ts').Text;"],
    ['stdlib/files/local/files/x.ts', "import { createReadStream } from 'node:fs';"],
    ['stdlib/files/local/files/x.ts', "import { command } from '../../../browser/engines/webdriver/capabilities.ts';"],
    ['stdlib/files/local/files/x.ts', "import { x } from '#compiler/did-you-mean.ts';"],
    ['runtime/adapters/http/x.ts', "export { CookieJar } from 'tough-cookie';"],
    ['runtime/hosts/node/x.ts', "import { main } from '#compiler/cli/main.ts';"],
    ['runtime/hosts/node/x.ts', "import { a } from './no-such-file.ts';"],
    ['somewhere/x.ts', "import 'node:fs';"],
    ['compiler/library/x.ts', "import { main } from '#compiler/cli/main.ts';"],
    ['compiler/cli/x.ts', "const x = await import('#compiler/library/execute.ts');"],
    ['compiler/engine/x.ts', "import { call } from '#compiler/library/session.ts';"],
    ['compiler/engine/x.ts', "import type { Terminal } from '#schemas/types/cli.ts';"],
  ])('refuse %s: %s', (from, text) => {
    expect(refused(from, text)).toHaveLength(1);
  });

  it.each([
    [
      'grammar/document/y.ts',
      "import { parseEvents } from 'js-yaml'; import type { Json } from '#schemas/types/json.ts';",
    ],
    ['compiler/phases/4-resolve/x.ts', "import { a } from '../3-parse/ast.ts';"],
    [
      'stdlib/files/local/files/x.ts',
      "import { walk } from '../../walk.ts'; import { command } from '#stdlib/command.ts'; import { join } from 'node:path';",
    ],
    ['runtime/adapters/http/x.ts', "import { Agent } from 'undici'; import { connect } from 'node:net';"],
  ])('allow %s: %s', (from, text) => {
    expect(refused(from, text)).toEqual([]);
  });

  it.each([
    ["import './ports.ts';", "import './events.ts';"],
    ["import './ports.ts';", "import type { RunEvent } from './events.ts';"],
    ["import type { Ports } from './ports.ts';", "export type { RunEvent } from './events.ts';"],
    ["import './ports.ts';", "type T = import('./events.ts').RunEvent;"],
  ])('find a cycle and print it: %s %s', (events, ports) => {
    const cycle = [...importsOf('runtime/kernel/events.ts', events), ...importsOf('runtime/kernel/ports.ts', ports)];
    expect(findCycles(cycle)).toEqual([
      'runtime/kernel/events.ts -> runtime/kernel/ports.ts -> runtime/kernel/events.ts',
    ]);
  });
});
