import type { Node } from '#schemas/types/plan.ts';

import type { Frame, GraphOptions, ListEnd, RunGraph, StepEnd } from './contract.ts';
import { dependency, whyCancelled } from './list.ts';
import * as because from './reasons.ts';
import { Scope } from './scope.ts';
import { runStep, skipStep } from './steps/step.ts';

/**
 * Runs each node as soon as what it depends on has ended, each in a branch of its own that begins with what its
 * dependencies left. Afterwards the frame's scope holds what all of them wrote.
 */
export const runGraph: RunGraph = (nodes, frame, options) =>
  new Promise((resolve) => new GraphRun(nodes, frame, options, resolve).advance());

interface Vertex {
  readonly node: Node;
  readonly index: number;
  readonly dependents: Vertex[];
  waitsFor: number;
  scope?: Scope;
  end?: StepEnd;
}

class GraphRun {
  readonly #frame: Frame;
  readonly #options: GraphOptions;
  readonly #vertices = new Map<string, Vertex>();
  readonly #ready: Vertex[] = [];
  readonly #done: (end: ListEnd) => void;
  #running = 0;
  /** The place of whoever runs the graph is taken by one of its nodes. */
  #ownPlaceTaken = false;
  #finished = false;
  #left: number;
  #failed = 0;
  #stoppedBy: string | undefined;
  #asking = false;
  #advancing = false;

  constructor(nodes: readonly Node[], frame: Frame, options: GraphOptions, done: (end: ListEnd) => void) {
    this.#frame = frame;
    this.#options = options;
    this.#done = done;
    const chosen = options.chosen ? nodes.filter(options.chosen) : nodes;
    chosen.forEach((node, index) => this.#vertices.set(node.id, { node, index, dependents: [], waitsFor: 0 }));
    this.#left = this.#vertices.size;
    for (const vertex of this.#vertices.values()) {
      for (const id of vertex.node.after ?? []) {
        const before = this.#vertices.get(id);
        if (!before) continue;
        before.dependents.push(vertex);
        vertex.waitsFor++;
      }
      if (vertex.waitsFor === 0) this.#ready.push(vertex);
    }
  }

  /** Begins what can begin. Nodes that end at once are handled in this loop, not one inside the other. */
  advance(): void {
    if (this.#advancing) return;
    this.#advancing = true;
    for (let next = this.#next(); next; next = this.#next()) this.#begin(next);
    this.#advancing = false;
    if (this.#left === 0 && !this.#finished) this.#finish();
  }

  #next(): { vertex: Vertex; borrowed: boolean } | undefined {
    if (this.#ready.length === 0 || this.#running >= this.#options.workers) return undefined;
    // One node stands in the place of whoever runs the graph; each further one needs a place of its own.
    const borrowed = this.#ownPlaceTaken;
    const { pool } = this.#frame.unit.run;
    if (borrowed && !pool.tryTake()) {
      if (!this.#asking) {
        this.#asking = true;
        pool.whenFree(() => {
          this.#asking = false;
          this.advance();
        });
      }
      return undefined;
    }
    const vertex = this.#ready.shift();
    return vertex && { vertex, borrowed };
  }

  #begin({ vertex, borrowed }: { vertex: Vertex; borrowed: boolean }): void {
    const before = (vertex.node.after ?? [])
      .map((id) => this.#vertices.get(id)?.scope)
      .filter((scope) => scope !== undefined);
    vertex.scope = Scope.join([before[0] ?? this.#frame.scope, ...before.slice(1)]);
    const frame: Frame = { ...this.#frame, scope: vertex.scope };
    const reason = this.#whyNot(vertex);
    const running = reason === undefined ? runStep(vertex.node, frame) : skipStep(vertex.node, frame, reason);
    if (!(running instanceof Promise)) return this.#ended(vertex, running, borrowed, 0);
    this.#running++;
    if (!borrowed) this.#ownPlaceTaken = true;
    void running.then((end) => {
      this.#ended(vertex, end, borrowed, 1);
      this.advance();
    });
  }

  #whyNot({ node }: Vertex): string | undefined {
    if (this.#frame.cancel.cancelled) return whyCancelled(this.#frame);
    if (this.#stoppedBy !== undefined) return because.graphStopped(this.#stoppedBy);
    if (this.#frame.unit.run.halted) return because.failFast;
    if (this.#options.failed === 'run-dependents') return undefined;
    return dependency(node.after ?? [], (id) => this.#vertices.get(id)?.end);
  }

  #ended(vertex: Vertex, end: StepEnd, borrowed: boolean, ran: number): void {
    this.#running -= ran;
    if (!borrowed && ran > 0) this.#ownPlaceTaken = false;
    this.#left--;
    vertex.end = end;
    if (end.status === 'failed') {
      this.#failed++;
      if (this.#options.failed === 'stop' || vertex.node.on_failure === 'stop') this.#stoppedBy ??= vertex.node.id;
      if (this.#frame.unit.run.options.failFast) this.#frame.unit.run.halted = true;
    }
    for (const dependent of vertex.dependents) if (--dependent.waitsFor === 0) this.#ready.push(dependent);
    if (borrowed) this.#frame.unit.run.pool.give();
  }

  #finish(): void {
    this.#finished = true;
    const vertices = [...this.#vertices.values()];
    const scopes = (of: readonly Vertex[]): Scope[] =>
      of.map((vertex) => vertex.scope).filter((scope) => scope !== undefined);
    this.#frame.scope.adopt(scopes(vertices), scopes(vertices.filter((vertex) => vertex.dependents.length === 0)));
    this.#done({
      steps: vertices.map((vertex) => vertex.end),
      failed: this.#failed,
      ...(this.#stoppedBy !== undefined && { stoppedBy: this.#stoppedBy }),
    });
  }
}
