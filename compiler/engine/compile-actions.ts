import { check, compile, type Compilation, type CompileHost, type CompileOptions, type Source } from '#compiler/api.ts';
import { orderByDependency } from '#compiler/graph/dag.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import type { ActionCheck } from '#runtime/kernel/ports.ts';
import type { Compiler } from '#runtime/adapters/compiler/port.ts';
import type { Around, CompileActions, CompiledActions, CompiledPart, Implementation } from '#runtime/kernel/linked.ts';
import type { ActionCalls, CallsAround } from '#runtime/servers/action-calls.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Node, Places, Unit } from '#schemas/types/plan.ts';

import { adviceOn, problemsOf, told } from './lists/action-problems.ts';
import type { ListRules } from './lists/list-rules.ts';
import { isUnread, refusedAs, refusedUnread } from './lists/refused-as.ts';
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
      const content = JSON.stringify(actions);
      const compiled = (host: CompileHost): Promise<CompiledActions> =>
        compileList(content, prefix, host, optionsIn(around));
      return permitted(await (kept?.list(content, prefix, around.host, compiled) ?? compiled(around.host)), rules);
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
  if (refused !== undefined) throw fail.actionNotPermitted({ action: refused });
  return guard ? { ...compiled, commands: guarded(compiled.commands, guard) } : compiled;
}

function guarded(
  commands: CompiledActions['commands'],
  guard: NonNullable<ListRules['guard']>,
): CompiledActions['commands'] {
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
  return compiledOf(compilation, STDIN, [STDIN], prefix);
}

async function compileFile(path: string, host: Host, options: CompileOptions): Promise<Compilation> {
  if ((await host.files.find(path))?.kind !== 'file')
    throw refusedUnread(fail.actionFileRefused({ path, cause: fail.fileNotFound({ path }) }));
  const compilation = await compile([{ path }], options, host);
  const combined = compilation.files.filter(({ file }) => file?.meta.matrix !== undefined);
  const problems = [
    ...problemsOf(compilation),
    ...combined.map(({ source }) => `${source}: a file with a matrix runs by itself only`),
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
