import { check, compile, type Compilation, type CompileHost, type CompileOptions, type Source } from '#compiler/api.ts';
import { orderByDependency } from '#compiler/graph/dag.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import type { ActionCheck } from '#runtime/kernel/ports.ts';
import type { Compiler } from '#runtime/adapters/compiler/port.ts';
import type { Around, CompileActions, CompiledActions, CompiledPart, Implementation } from '#runtime/kernel/linked.ts';
import type { ActionCalls, CallsAround } from '#runtime/servers/action-calls.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Node, Places, Unit } from '#schemas/types/plan.ts';

import { adviceOn, problemsOf, told } from './lists/action-problems.ts';
import type { ListRules } from './lists/list-rules.ts';
import { isUnread, refusedAs, refusedUnread } from './lists/refused-as.ts';
import { refusedIn } from './lists/refused-name.ts';
import { renamed } from './lists/renamed-nodes.ts';
import { linkedOf } from './program.ts';

/** Compiles what commands hand over while a run goes on. Variables of the running unit count as possible. */
export function makeCompileActions(rules: ListRules = {}): CompileActions {
  const { functions, kept } = rules;
  const optionsIn = ({ root, here }: Around): CompileOptions => ({
    isOpen: true,
    outside: 'anywhere',
    root,
    here,
    ...(functions && { functions }),
  });
  return {
    list: async (actions, prefix, around) => {
      try {
        const content = textOf(actions);
        const compiled = (host: CompileHost): Promise<CompiledActions> =>
          compileList(content, prefix, host, optionsIn(around));
        return permitted(await (kept?.list(content, prefix, around.host, compiled) ?? compiled(around.host)), rules);
      } catch (error) {
        // Mistakes would tell of a command that is refused.
        const refused = isMistake(error) && rules.allows ? refusedIn(actions, rules.allows) : undefined;
        throw refused === undefined ? error : notPermitted(refused);
      }
    },
    files: async (paths, prefix, around) => {
      const compilations: Compilation[] = [];
      for (const path of paths) compilations.push(await compileFile(path, around.host, optionsIn(around)));
      return compilations.map((compilation, index) => {
        const listed = compilation.files.find(({ isPulledIn }) => !isPulledIn)?.source ?? '';
        const sources = compilation.files.filter(({ isUsed }) => !isUsed).map(({ source }) => source);
        return permitted(compiledOf(compilation, listed, sources, `${prefix}.${index}`), rules);
      });
    },
    check: async (actions, around) =>
      checkOf(await check([asSource(JSON.stringify(actions))], optionsIn(around), around.host)),
  };
}

/** Every command that the compiled lists can run stands among their facts, whichever list it was nested in. */
function permitted(compiled: CompiledActions, { allows = () => true, guard }: ListRules): CompiledActions {
  const refused = Object.keys(compiled.facts).find((command) => !allows(command));
  if (refused !== undefined) throw notPermitted(refused);
  return guard ? { ...compiled, commands: commandsBehind(guard, compiled.commands) } : compiled;
}

type Guard = NonNullable<ListRules['guard']>;
type Commands = CompiledActions['commands'];

/** Commands behind their guards, made once for a list that is kept: by the guard, then by the commands themselves. */
const behindGuards = new WeakMap<Guard, WeakMap<Commands, Commands>>();

function commandsBehind(guard: Guard, commands: Commands): Commands {
  const known = behindGuards.get(guard) ?? new WeakMap<Commands, Commands>();
  behindGuards.set(guard, known);
  const behind = known.get(commands) ?? guarded(commands, guard);
  known.set(commands, behind);
  return behind;
}

function notPermitted(action: string): Failure {
  return fail.actionNotPermitted({ action, actual: action });
}

/** A list that was looked at and has mistakes. */
function isMistake(error: unknown): boolean {
  return error instanceof Failure && error.name !== 'ActionNotPermittedException';
}

function guarded(commands: Commands, guard: Guard): Commands {
  const entries = Object.entries(commands).map(([name, load]) => {
    const loaded = async (): Promise<Implementation> => {
      const implementation = await load();
      return async (args, base) => {
        await guard(name, args as JsonObject);
        return implementation(args, base);
      };
    };
    return [name, loaded] as const;
  });
  return Object.fromEntries(entries);
}

/** The text of a list. One that is nested too deep to be written is refused as the reader of files refuses it. */
function textOf(actions: Json): string {
  try {
    return JSON.stringify(actions);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const { code, message } = d.tooDeep({
      at: { source: STDIN, route: [], part: 'value' },
      limit: DEFAULT_LIMITS.depth,
    });
    throw fail.actionsInvalid({ problems: `${code} ${message}`, cause });
  }
}

function asSource(content: string): Source {
  return { path: STDIN, content };
}

async function compileList(
  content: string,
  prefix: string,
  host: CompileHost,
  options: CompileOptions,
): Promise<CompiledActions> {
  const compilation = await compile([asSource(content)], options, host);
  const problems = problemsOf(compilation);
  if (problems.length > 0)
    throw refusedAs(
      fail.actionsInvalid({ problems: told(problems), actual: problems, ...adviceOn(compilation) }),
      compilation.diagnostics,
    );
  const list = compilation.files.find(({ source }) => source === STDIN)?.file;
  const unmet = LISTS_LACK.filter((key) => list?.meta[key] !== undefined);
  if (unmet.length > 0)
    throw fail.actionsInvalid({ problems: unmet.map((key) => `meta.${key}: only files have one`).join('; ') });
  return compiledOf(compilation, STDIN, [STDIN], prefix);
}

/** Parts of `meta` that a file asks for which runs by itself, and that no step of another run can give. */
const ALONE = ['matrix', 'dataset'] as const;
/** A list stands behind no files either: where they are looked for, nobody knows who sends it. */
const LISTS_LACK = [...ALONE, 'depends_on'] as const;

async function compileFile(path: string, host: Host, options: CompileOptions): Promise<Compilation> {
  if ((await host.files.find(path))?.kind !== 'file')
    throw refusedUnread(fail.actionFileRefused({ path, cause: fail.fileNotFound({ path }) }));
  const compilation = await compile([{ path }], options, host);
  const alone = compilation.files.flatMap(({ source, file }) =>
    ALONE.filter((key) => file?.meta[key] !== undefined).map((key) => ({ source, key })),
  );
  const problems = [
    ...problemsOf(compilation),
    ...alone.map(({ source, key }) => `${source}: a file with a ${key} runs by itself only`),
  ];
  if (problems.length === 0) return compilation;
  const refused = fail.actionFileRefused({
    path,
    cause: fail.actionsInvalid({ problems: told(problems), ...adviceOn(compilation) }),
  });
  throw isUnread(compilation.diagnostics) ? refusedUnread(refused) : refused;
}

function checkOf(compilation: Compilation): ActionCheck {
  const body = compilation.files[0]?.file?.body.steps ?? [];
  return { commands: body.map(({ command }) => command), problems: problemsOf(compilation) };
}

/** A file behind those that it depends on, with ids below the step that runs them. */
function compiledOf(
  compilation: Compilation,
  listed: SourceId,
  sources: readonly SourceId[],
  prefix: string,
): CompiledActions {
  const { plan } = compilation.seal([listed]);
  const units = sources.flatMap((source) => plan.units.filter((unit) => unit.source === source));
  const begins = new Map(
    units.map(({ source }) => [`${source}#`, source === listed ? `${prefix}.` : `${prefix}.${source}.`]),
  );
  const places = Object.entries(compilation.places([listed])).filter(([, { file }]) => file !== STDIN);
  const idOf = (id: string): string => begin(id, begins);
  return {
    prefix,
    ...linkedOf(plan.commands, Object.fromEntries(places.map(([id, place]) => [idOf(id), place])) satisfies Places),
    parts: units.map((unit) => partOf(unit, idOf)),
  };
}

function begin(id: string, begins: ReadonlyMap<string, string>): string {
  const hash = id.indexOf('#') + 1;
  return (begins.get(id.slice(0, hash)) ?? id.slice(0, hash)) + id.slice(hash);
}

/** A graph's nodes in an order in which each stands behind what it depends on. */
function partOf(
  { source, after, inputs, setup, body, teardown, order }: Unit,
  idOf: (id: string) => string,
): CompiledPart {
  const own = (nodes: readonly Node[]): readonly Node[] => nodes.map((node) => renamed(node, idOf));
  return {
    source,
    after,
    inputs,
    setup: own(setup),
    body: own(order.kind === 'graph' ? byDependency(body) : body),
    teardown: own(teardown),
  };
}

function byDependency(nodes: readonly Node[]): readonly Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ordered = orderByDependency([...byId.keys()], (id) => byId.get(id)?.after ?? []);
  return 'cycle' in ordered ? nodes : ordered.order.flatMap((id) => byId.get(id) ?? []);
}

/** Door through which servers of actions run them (`runtime/servers`); loaded only when one is started. */
export async function openActionCalls(around: CallsAround): Promise<ActionCalls> {
  return (await import('./callers/action-calls.ts')).actionCalls(around);
}

/** Door of the port `compiler` to commands about action files; loaded only when one of them asks. */
export async function openActionTools(around: {
  readonly host: Host;
  readonly root: string;
  readonly here: string;
}): Promise<Compiler> {
  return (await import('./action-tools.ts')).actionTools(around);
}
