import type { Base, PortContext, Provider } from '#runtime/kernel/ports.ts';
import { BROWSER_CLOSE_MS } from '#schemas/generated/settings.ts';
import { noBrowserPage, sessionsNotClosed } from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { readExtensionFolder } from '../browsers/extension.ts';
import { within } from '../shared/abortable.ts';
import { closeAll, launchBrowser } from './launch.ts';
import type { Launched } from './launch.ts';
import type { Launch, PlaywrightPort, Scope } from './port.ts';
import { Session } from './session.ts';

/** The second engine of one unit, closed at its end. */
export const provider: Provider<'playwright'> = {
  open(context) {
    const engine = new Engine(context);
    context.release(() => engine.quit());
    return engine;
  },
  evidence: (port, signal) => (port.isOpen ? port.session.evidence(signal) : Promise.resolve([])),
};

class Engine implements PlaywrightPort {
  readonly #context: PortContext;
  #open: { readonly launched: Launched; readonly session: Session } | undefined;

  constructor(context: PortContext) {
    this.#context = context;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get session(): Session {
    if (!this.#open) throw noBrowserPage();
    return this.#open.session;
  }

  async launch(scope: Base, wanted: Launch): Promise<void> {
    await this.quit();
    const launched = await launchBrowser(wanted, this.#context, scope.signal);
    try {
      const page = launched.context.pages()[0] ?? (await launched.context.newPage());
      this.#open = { launched, session: new Session(launched, page, this.#context.settings) };
    } catch (error) {
      await closeAll(launched);
      throw error;
    }
  }

  async quit(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const closing = closeAll(open.launched).then(
      () => ({ trouble: undefined }),
      (trouble: unknown) => ({ trouble }),
    );
    const outcome = await within(closing, this.#context.settings.limits?.browser_close_ms ?? BROWSER_CLOSE_MS);
    if (!outcome || outcome.trouble !== undefined)
      throw sessionsNotClosed({ failed: 1, count: 1, cause: outcome?.trouble });
  }

  async extensionSwitches(folder: string): Promise<readonly [string, string]> {
    const path = await readExtensionFolder(this.#context.host, folder);
    return [`--disable-extensions-except=${path}`, `--load-extension=${path}`];
  }

  evaluate(scope: Scope, body: string, args: readonly Json[]): Promise<unknown> {
    return this.session.evaluate(scope, `(args) => (function () {${body}\n}).apply(null, args)`, args);
  }
}
