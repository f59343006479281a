import { catalogue } from '#compiler/catalogue.ts';
import { findings } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { unfit } from '#runtime/kernel/values/unfit.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Gate } from '#schemas/types/command.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { ActionService, RequestedRun, RunRequest, SourceGiven } from '#schemas/types/service.ts';

import { adviceOn, MOST_FOUND, problemsOf, told } from './lists/action-problems.ts';
import { compileSources, type CompilePurpose } from './compile-project.ts';
import { isMatch } from './configuration/check-configuration.ts';
import { EventQueue } from './event-queue.ts';
import { maskFor } from './mask.ts';
import { openProject, type Project, type ProjectSettings } from './project.ts';
import type { RunPart } from './run/part.ts';
import { planPart, selectParts, sourcePart } from './run/parts.ts';
import { flagsOf, settingsGiven } from './run/read-request.ts';
import { readGiven } from './run/read-given.ts';
import { failForNames, readSelection } from './run/read-selection.ts';
import { resumedAt } from './run/resumed-at.ts';
import { receivedPlan } from './run/received-plan.ts';
import { requestedRun, type ReadyRun } from './run/requested-run.ts';
import { runSettings } from './run/settings.ts';
import { readSchema } from './schemas.ts';
import { sourcesOf } from './sources-of.ts';

/** Origin of requests to a service, and the gates that its operator sets. */
export interface ServiceOptions {
  /** Over a network every gate is closed but those in `gates`; configuration and requests open none. */
  readonly origin: 'local' | 'network';
  /** Gates that whoever runs the service opens or closes. */
  readonly gates?: Settings['gates'];
}

/** The service of the project at a root, on a host. */
export function makeService(root: string, host: Host, options: ServiceOptions): ActionService {
  return {
    async check(sources) {
      const project = await openProject(root, host);
      const { diagnostics, files } = await compileSources('check', await readGiven(sources, project), project);
      const texts = sourcesOf(files);
      return findings(locate(diagnostics, texts, maskFor([project], files)), texts, files.length);
    },
    plan: async (sources) => (await compiled('plan', sources, await openProject(root, host))).seal().plan,
    list: () => catalogue.all(),
    run: (request) => requested(host.random.uuid(), request, root, host, options),
  };
}

function requested(id: string, request: RunRequest, root: string, host: Host, options: ServiceOptions): RequestedRun {
  const events = new EventQueue();
  const run = requestedRun(id, () => prepare(request, root, host, options), {
    reporters: [{ showsEvidence: true, event: (event) => events.add(event) }],
  });
  const outcome = run.outcome.finally(() => events.end());
  // Whoever reads the events alone is told of the end by their end.
  outcome.catch(() => undefined);
  return { id, events, outcome, stop: run.stop };
}

async function prepare(request: RunRequest, root: string, host: Host, options: ServiceOptions): Promise<ReadyRun> {
  await checkRequest(request);
  const project = await openProject(root, host, projectSettings(request));
  const settings = settingsOf(request, project, options);
  const part = await partOf(request, project, settings);
  const selection = await readSelection(request.selection ?? {}, project);
  const parts = selectParts([part], selection, host);
  if (parts.length === 0) {
    failForNames(
      part.units.filter(({ source }) => part.listed.has(source)),
      selection,
    );
    throw fail.nothingSelected({ selection: JSON.stringify(request.selection ?? {}), count: part.listed.size });
  }
  const flags = flagsOf(request);
  const { resume_from: point, variables = {} } = request;
  return { project, parts, flags: point ? { ...flags, resumedAt: resumedAt(point, parts, variables) } : flags };
}

async function checkRequest(request: RunRequest): Promise<void> {
  const schema = JSON.parse(await readSchema('run-request')) as JsonObject;
  const misfits = checkSchema(schema, request as unknown as Json, isMatch);
  if (misfits.length > 0) throw fail.requestUnfit({ reason: unfit(misfits) });
}

function projectSettings({ settings = {}, variables = {} }: RunRequest): ProjectSettings {
  const { environment: name } = settings;
  return {
    ...(name !== undefined && { environment: { name } }),
    variables: Object.fromEntries(Object.entries(variables).map(([key, json]) => [key, { json }])),
  };
}

function settingsOf(request: RunRequest, project: Project, options: ServiceOptions): Settings {
  const given = settingsGiven(request);
  const configured = project.configuration.settings;
  if (options.origin === 'local')
    return runSettings({ ...configured, gates: { ...configured.gates, ...options.gates } }, given);
  const open = { ...remoteGates, ...options.gates };
  for (const [gate, isOpen] of Object.entries(request.gates ?? {}) as [Gate, boolean][])
    if (isOpen && !open[gate]) throw fail.gateNotToOpen({ gate });
  const closed = Object.entries(configured.gates ?? {}).filter(([, isOpen]) => !isOpen);
  return runSettings({ ...configured, gates: Object.fromEntries(closed) }, given, open);
}

async function partOf({ sources, plan }: RunRequest, project: Project, settings: Settings): Promise<RunPart> {
  if (plan)
    return planPart(await receivedPlan(plan as unknown as Json, project.catalogue, project.host), project, settings);
  return sourcePart(await compiled('run', sources ?? [], project), project, settings);
}

/** Sources without errors, compiled. */
async function compiled(
  purpose: CompilePurpose,
  sources: readonly SourceGiven[],
  project: Project,
): ReturnType<typeof compileSources> {
  const compileOptions = { ...project.compileOptions, mostFindings: MOST_FOUND };
  const given = await readGiven(sources, project);
  const compilation = await compileSources(purpose, given, { host: project.host, compileOptions });
  const problems = problemsOf(compilation);
  if (problems.count > 0)
    throw fail.actionsInvalid({ problems: told(problems), actual: problems.lines, ...adviceOn(compilation) });
  return compilation;
}
