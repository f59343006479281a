import { Pool } from '#runtime/kernel/pool.ts';
import type { Program } from '#runtime/kernel/program.ts';
import { RunState } from '#runtime/kernel/run-state.ts';
import { runUnit } from '#runtime/kernel/units/unit.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { explainError } from '#runtime/program/execute.ts';
import { standardError } from '#runtime/program/standard-streams.ts';
import { guardExit } from '#runtime/program/foreign-exit.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import { openRecordFile } from '#runtime/program/record-file.ts';
import { onInterrupt } from '#runtime/program/signals.ts';
import type { Unit } from '#schemas/types/plan.ts';

import { pruned } from '../run/needed-steps.ts';
import { PACKAGE, version } from '../version.ts';
import { KeptEvidence } from '../kept/evidence.ts';
import { loadProgram } from '../load-program.ts';
import { pinOwnPackages } from '../own/pin-packages.ts';
import { programOfPlan } from '../program.ts';
import { carriedFrom, scopeOf } from './carried.ts';
import { Channel, MessageTooLong } from './channel.ts';
import { checkToWorker } from './check-message.ts';
import { toParent } from './fork-transport.ts';
import type { UnitJob } from './protocol.ts';
import { connect } from './socket-transport.ts';
import { tellEvents, type WorkerLink } from './tell-events.ts';
import { TOKEN_VARIABLE } from './token-variable.ts';

/**
 * The process of one file under `--isolate`: waits for a job, runs it, sends what happens, and ends. `address`: of the
 * socket where its run listens.
 */
export async function serveUnit(address: string | undefined): Promise<2> {
  const transport = address === undefined ? toParent() : await connect(address, process.env[TOKEN_VARIABLE] ?? '');
  if (!transport) return 2;
  // Nothing that the unit starts is to know it.
  delete process.env[TOKEN_VARIABLE];
  const link: WorkerLink = new Channel(transport, { check: checkToWorker });
  const waiting = Promise.withResolvers<UnitJob | undefined>();
  let state: RunState | undefined;
  link.onMessage((message) => {
    if (message.kind === 'job') waiting.resolve(message);
    else if (message.kind === 'stop') state?.stop(message.reason);
    else if (state) state.halted = true;
  });
  // Whoever began this process is gone: what is open is let go, and nobody reads what is sent.
  void link.ended.then((broken) => {
    state?.stop(broken ?? 'the run is gone');
    waiting.resolve(undefined);
  });
  const stopListening = onInterrupt(({ signal }) => state?.stop(signal));
  const releaseExit = guardExit({
    stop: (reason) => state?.stop(reason),
    flush: () => state?.flush(),
    complain: (text) => standardError.write(text),
  });
  await link.send({ kind: 'ready' });
  try {
    const job = await waiting.promise;
    if (job) {
      pinOwnPackages();
      const program = await programOf(job);
      state = stateOf(job, program, link);
      await runJob(job, state, link);
    }
  } catch (error) {
    await link.send({ kind: 'bug', text: explainError(error, `${PACKAGE} ${version}`).text });
  }
  releaseExit();
  stopListening();
  link.close();
  // Open sockets and the like of a unit that has ended keep nobody waiting.
  process.exit(0);
}

async function runJob(job: UnitJob, state: RunState, link: WorkerLink): Promise<void> {
  const unit = unitOf(job, state.program);
  await state.open();
  const { outcome, scope } = await runUnit(state, unit, [scopeOf(job.carried.variables)], job.repeat);
  const lost = await state.outputs.end().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? reasonOf(error.cause ?? error) : String(error)),
  );
  const { occurrences } = state.options.shared ?? {};
  try {
    await link.send({
      kind: 'ended',
      outcome,
      carried: {
        variables: carriedFrom([scope]),
        secrets: state.masker.secrets(),
        occurrences: [...(occurrences ?? [])],
      },
      ...(lost !== undefined && { lost }),
    });
  } catch (error) {
    if (!(error instanceof MessageTooLong)) throw error;
    await link.send({ kind: 'cut', reason: `its variables cannot be handed on, since ${error.message}` });
  }
}

function stateOf(job: UnitJob, program: Program, link: WorkerLink): RunState {
  const { run, startedAt, seed, temporary, flags, root, variables, environment, settings, chosen, carried, programs } =
    job;
  const unit = unitOf(job, program);
  const ids = chosen && new Set(chosen);
  const records = job.record === undefined ? undefined : openRecordFile(job.record, { more: true });
  const kept = job.evidence && new KeptEvidence(job.evidence.folder, { cwd: job.cwd, bounds: job.evidence.bounds });
  const tell = tellEvents(link);
  let toldHalted = false;
  const state: RunState = new RunState(
    program,
    {
      run,
      root,
      variables,
      environment,
      settings,
      ...flags,
      shared: {
        startedAt,
        seed,
        occurrences: new Map(carried.occurrences),
        temporary: () => Promise.resolve(temporary),
        ...(programs && { programs }),
        halted: false,
      },
      reporters: [
        {
          event(event) {
            tell(kept ? kept.placed(event) : event);
            if (state.halted && !toldHalted) void link.send({ kind: 'halted' });
            toldHalted = state.halted;
          },
          end: () => kept?.written(),
        },
      ],
      ...(records && { records: kept ? { ...records, add: (each) => records.add(kept.linked(each)) } : records }),
      ...(job.resumedAt !== undefined && { resumedAt: { [job.source]: job.resumedAt } }),
      ...(ids && { chosen: (_: Unit, node: { readonly id: string }) => ids.has(node.id) }),
    },
    nodeHost({ cwd: job.cwd, env: process.env }),
    {
      pool: new Pool(unit.order.kind === 'graph' ? Math.max(unit.order.max_workers, 1) : 1),
      keepsRecords: job.kept !== undefined,
    },
  );
  for (const secret of carried.secrets) state.masker.add(secret);
  state.kept?.push(...(job.kept ?? []));
  return state;
}

async function programOf({ program, root }: UnitJob): Promise<Program> {
  if ('file' in program) return (await loadProgram(program.file, '/', root)).program;
  return programOfPlan({ plan: program.plan, hash: program.hash }, program.places, program.settings);
}

function unitOf({ source, chosen }: UnitJob, { plan }: Program): Unit {
  const unit = plan.units.find((candidate) => candidate.source === source);
  if (!unit) throw new Error(`the plan has no unit ${source}`);
  if (chosen === undefined) return unit;
  const ids = new Set(chosen);
  return { ...unit, body: pruned(unit.body, (id) => ids.has(id)) };
}
