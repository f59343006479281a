import { resolve } from 'node:path';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { AutomationConfig, LoadTools, SinkManager } from './automation-config.ts';
import { ConfigWatcher } from './config-watcher.ts';
import type { ConfigSummary, Configuration } from './port.ts';

export const provider: Provider<'config'> = {
  open: async (context) => {
    const [notify, secrets] = [await context.port('notify'), await context.port('secretProviders')];
    return new UnitConfiguration(context, notify, { files: context.host.files, chain: (root) => secrets.chain(root) });
  },
};

class UnitConfiguration implements Configuration {
  readonly #context: PortContext;
  readonly #manager: SinkManager;
  readonly #tools: LoadTools;
  readonly #gone = new AbortController();
  /** Configurations in force, by the file that they came from. */
  readonly #inForce = new Map<string, ConfigSummary>();
  #last: ConfigWatcher | undefined;
  #watched: ConfigWatcher | undefined;

  constructor(context: PortContext, manager: SinkManager, tools: LoadTools) {
    this.#context = context;
    this.#manager = manager;
    this.#tools = tools;
    context.eachRow(() => {
      const [last, watched, inForce] = [this.#last, this.#watched, [...this.#inForce]];
      return async () => {
        if (this.#watched !== watched) await this.unwatch();
        this.#watched = watched;
        watched?.watch();
        this.#last = last;
        this.#inForce.clear();
        for (const [file, summary] of inForce) this.#inForce.set(file, summary);
      };
    });
    context.release(async () => {
      this.#gone.abort(new Error('the run has ended'));
      await this.#watched?.stop();
    });
  }

  async load(
    path: string,
    { apply, signal }: { readonly apply: boolean; readonly signal: AbortSignal },
  ): Promise<ConfigSummary> {
    const use = (config: AutomationConfig, within: AbortSignal): Promise<void> =>
      apply ? this.#apply(config, within) : this.#checkOnly(config);
    const watcher = this.#watcher(path, 0, (config) => use(config, this.#gone.signal));
    const config = await watcher.load();
    await use(config, signal);
    this.#last = watcher;
    return config.summary;
  }

  async reload(): Promise<boolean> {
    if (!this.#last) throw fail.configNotLoaded({});
    return this.#last.checkOnce();
  }

  async watch(
    path: string,
    {
      interval,
      onChange,
      signal,
    }: { readonly interval: number; readonly onChange: string | null; readonly signal: AbortSignal },
  ): Promise<ConfigSummary> {
    const call = onChange === null ? undefined : await (await this.#context.port('modules')).reference(onChange);
    const watcher = this.#watcher(path, interval * 1000, async (config) => {
      if (!call) return this.#apply(config, this.#gone.signal);
      await this.#checkOnly(config);
      await call(config);
    });
    const config = await watcher.load();
    await (call ? this.#checkOnly(config) : this.#apply(config, signal));
    await this.unwatch();
    watcher.watch();
    this.#last = watcher;
    this.#watched = watcher;
    return config.summary;
  }

  async unwatch(): Promise<boolean> {
    const watched = this.#watched;
    this.#watched = undefined;
    await watched?.stop();
    return watched !== undefined;
  }

  #watcher(
    path: string,
    intervalMs: number,
    onChange: (config: AutomationConfig) => void | Promise<void>,
  ): ConfigWatcher {
    const { host, folders, notice } = this.#context;
    const onBroken = (error: unknown): void =>
      notice(
        'warning',
        `the old configuration stays in force: ${error instanceof Error ? error.message : String(error)}`,
      );
    return new ConfigWatcher(
      { ...this.#tools, clock: host.clock, onBroken },
      { path: resolve(folders.cwd, path), intervalMs, onChange },
    );
  }

  /** Nothing is put to use, and nobody is asked about addresses. */
  async #checkOnly(config: AutomationConfig): Promise<void> {
    this.#tell(config);
    config.prepare(this.#manager);
  }

  async #apply(config: AutomationConfig, signal: AbortSignal): Promise<void> {
    this.#tell(config);
    await config.applyTo(this.#manager, { signal, before: this.#inForce.get(config.source) });
    this.#inForce.set(config.source, config.summary);
  }

  #tell({ source, unknownSections }: AutomationConfig): void {
    for (const name of unknownSections)
      this.#context.notice('warning', `the section "${name}" of the configuration "${source}" means nothing here`, {
        once: `config-section ${source} ${name}`,
      });
  }
}
