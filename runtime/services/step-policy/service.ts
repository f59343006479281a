import { resolve } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import type { HookedStep } from '#runtime/kernel/step-hooks.ts';
import { scopeBroken } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { mayGoAway } from './may-go-away.ts';
import { Pictures } from './pictures.ts';
import type { ScopeFactory, StepPolicy } from './port.ts';
import { Scopes } from './scopes.ts';

export const provider: Provider<'stepPolicy'> = { open: (context) => new Policy(context) };

interface Watch {
  readonly factory: ScopeFactory;
  readonly scopes: Scopes;
  readonly stop: () => void;
}

class Policy implements StepPolicy {
  readonly #context: PortContext;
  readonly #all = new Set<Scopes>();
  #retry = { retries: 0, backoff: 0 };
  #pictures: Pictures | undefined;
  #watch: Watch | undefined;

  constructor(context: PortContext) {
    this.#context = context;
    context.hookSteps({
      again: (failure, attempts, step) => this.#again(failure, attempts, step),
      failed: (failure, { command }) => this.#pictures?.added(failure, command) ?? Promise.resolve(failure),
    });
    context.release(async () => {
      for (const scopes of this.#all) await scopes.settled();
    });
    context.eachRow(() => {
      const [retry, pictures, factory] = [this.#retry, this.#pictures, this.#watch?.factory];
      return () => {
        this.#retry = retry;
        this.#pictures = pictures;
        if (this.#watch?.factory !== factory) this.wrap(factory ?? null);
      };
    });
  }

  retry(retries: number, backoff: number): void {
    this.#retry = { retries, backoff };
  }

  wrap(factory: ScopeFactory | null): void {
    this.#watch?.stop();
    this.#watch = undefined;
    if (!factory) return;
    const scopes = new Scopes(factory, (error) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.#context.notice('warning', scopeBroken({ reason }).message, { once: 'scope-broken' });
    });
    this.#all.add(scopes);
    this.#watch = { factory, scopes, stop: this.#context.observe(scopes) };
  }

  async pictures(folder: string | null): Promise<void> {
    this.#pictures = undefined;
    if (folder === null || folder === '') return;
    const path = resolve(this.#context.folders.cwd, folder);
    await this.#context.host.files.makeDirectory(path, { recursive: true });
    this.#pictures = new Pictures(this.#context, path);
  }

  #again(failure: Failure, attempts: number, step: HookedStep): number | undefined {
    const { retries, backoff } = this.#retry;
    return attempts <= retries && mayGoAway(failure, step) ? backoff * attempts * 1000 : undefined;
  }
}
