import type { Ref } from '#schemas/types/reference.ts';

import { hyphenated } from './hyphenated.ts';
import { follow, Missing, pathText } from './path.ts';
import { isoFormat, strftime } from './strftime.ts';
import { Unknown, type Filling, type Surroundings } from './surroundings.ts';

/** The value of a reference without default and conversion; `Missing` where it has none, `Unknown` in a dry run. */
export function lookup(ref: Ref, at: Surroundings, filling: Filling): unknown {
  const { world } = at;
  switch (ref.ns) {
    case 'var':
      return variable(ref, at, filling);
    case 'ENV':
      return (
        secretIf(world.isSecretKey(ref.name), world.environment(ref.name), filling) ??
        new Missing(ref.name, 'the environment')
      );
    case 'env':
      return (
        secretIf(world.isSecretKey(ref.name), world.environment(ref.name, 'process'), filling) ??
        new Missing(ref.name, 'the process environment')
      );
    case 'ROW':
      return column(ref, at);
    case 'MATRIX':
      return Object.hasOwn(world.matrix, ref.name) ? world.matrix[ref.name] : new Missing(ref.name, 'the matrix');
    case 'event':
      return (
        ownText(at.event ?? {}, ref.name) ??
        (at.dry ? new Unknown(`\${event.${ref.name}}`) : new Missing(ref.name, 'event'))
      );
    case 'file':
      return at.dry
        ? new Unknown(`\${file:${ref.name}}`)
        : fetched(`file:${ref.name}`, () => world.secretFile(ref.name), filling, true);
    case 'date':
      return date(ref.name, at, world.clock.now());
    case 'uuid':
      return ref.name === 'v4' ? hyphenated(world.random.uuid()) : world.random.uuid();
    case 'run':
      return ofRun(ref.name, at, filling);
    case 'cwd':
    case 'root':
    case 'here':
      return world.folders[ref.ns];
    default:
      return ref.ns satisfies never;
  }
}

/** Whether a value of this kind is text from outside, which may stand for a number or a boolean. */
export function isOutsideText(ref: Ref, at: Surroundings): boolean {
  if (ref.ns === 'var') return (ref.path ?? []).length === 0 && at.scope.find(ref.name)?.text === true;
  return ref.ns === 'ENV' || ref.ns === 'env' || ref.ns === 'ROW';
}

/** Names come from the action file: what every object knows under them is no value. */
function ownText(texts: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

function secretIf(isSecret: boolean, value: string | undefined, filling: Filling): string | undefined {
  if (isSecret && value !== undefined) filling.addSecret(value);
  return value;
}

function column(ref: Ref, at: Surroundings): unknown {
  const { row } = at;
  if (!row || !Object.hasOwn(row.values, ref.name)) return new Missing(ref.name, 'row');
  return follow(row.values[ref.name], ref.path ?? [], `ROW.${ref.name}`);
}

/** The moment in local time; in UTC where the format begins with an exclamation mark. */
function date(format: string, at: Surroundings, moment: number): string {
  if (format.startsWith('!')) return strftime(format.slice(1) || isoFormat, moment, 0);
  return strftime(format || isoFormat, moment, at.world.clock.offset(moment));
}

function ofRun(name: string, at: Surroundings, filling: Filling): unknown {
  if (name === 'id') return at.world.run.id;
  if (name === 'tmp')
    return at.dry ? new Unknown('${run.tmp}') : fetched('run.tmp', () => at.world.temporary(), filling, false);
  if (name === 'date' || name.startsWith('date:')) return date(name.slice('date:'.length), at, at.world.run.startedAt);
  return new Missing(name, 'run');
}

function fetched(key: string, begin: () => Promise<string>, filling: Filling, secret: boolean): string {
  const value = filling.fetch(key, begin);
  if (secret && value !== undefined) filling.addSecret(value);
  return value ?? '';
}

function variable(ref: Ref, at: Surroundings, filling: Filling): unknown {
  const path = ref.path ?? [];
  if (ref.name === 'result' && at.result)
    return at.result.value === undefined ? follow(null, path, 'result') : follow(at.result.value, path, 'result');
  if (ref.name === 'steps') return ofSteps(path, at);
  if (ref.name === 'run' && path.length > 0)
    return at.dry ? new Unknown(`{{${pathText('run', path)}}}`) : follow(soFar(at), path, 'run');
  const stored = at.scope.dotted ? longestName(ref.name, path, at) : { name: ref.name, used: 0 };
  const entry = at.scope.find(stored.name);
  if (!entry) return at.dry ? new Unknown(`{{${pathText(ref.name, path)}}}`) : new Missing(ref.name, 'the variables');
  if (entry.value instanceof Unknown) return entry.value;
  const found = follow(entry.value, path.slice(stored.used), stored.name);
  if (entry.secret) filling.addSecret(found);
  return found;
}

/** Names of variables may hold dots and brackets: the longest stored one wins. */
function longestName(
  name: string,
  path: readonly (string | number)[],
  at: Surroundings,
): { name: string; used: number } {
  for (let used = path.length; used > 0; used--) {
    const longer = path
      .slice(0, used)
      .reduce<string>((text, piece) => (typeof piece === 'number' ? `${text}[${piece}]` : `${text}.${piece}`), name);
    if (at.scope.find(longer)) return { name: longer, used };
  }
  return { name, used: 0 };
}

function ofSteps(path: readonly (string | number)[], at: Surroundings): unknown {
  const id = String(path[0] ?? '');
  const state = at.scope.step(id);
  if (!state) return new Missing(id, 'steps');
  if (at.dry) return new Unknown(`{{${pathText('steps', path)}}}`);
  return follow(
    { status: state.status, ...('result' in state && { result: state.result }) },
    path.slice(1),
    `steps.${id}`,
  );
}

function soFar(at: Surroundings): unknown {
  const failed = at.scope.failures();
  return {
    status: failed.length > 0 ? 'failed' : 'passed',
    failed: failed.map(({ id, command, message }) => ({ id, command, message: message ?? '' })),
  };
}
