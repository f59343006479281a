import type { PortContext, Provider } from '#runtime/kernel/ports.ts';

import type { OpenServer } from '../open-server.ts';
import type { RunDashboard, RunDashboardOptions } from './port.ts';

export const provider: Provider<'dashboard'> = {
  open: (context) => {
    const dashboard = new Dashboard(context);
    context.release(() => dashboard.stop());
    return dashboard;
  },
};

class Dashboard implements RunDashboard {
  readonly #context: PortContext;
  #running: Promise<OpenServer> | undefined;

  constructor(context: PortContext) {
    this.#context = context;
  }

  async start(options: RunDashboardOptions): Promise<string> {
    this.#context.mask(options.secret ?? '');
    const running = (this.#running ??= this.#open(options));
    running.catch(() => (this.#running = undefined));
    const { host, port } = await running;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await (await running)?.stop();
  }

  async #open(options: RunDashboardOptions): Promise<OpenServer> {
    const { lookup, clock, random } = this.#context.host;
    const record = await this.#context.port('stepRecord');
    const { openRunDashboard } = await import('./server.ts');
    return openRunDashboard(options, { lookup, clock, record, token: () => `${random.uuid()}${random.uuid()}` });
  }
}
