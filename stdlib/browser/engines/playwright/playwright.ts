import type { Base, PortContext, Provider } from '#runtime/kernel/ports.ts';
import { BROWSER_CLOSE_MS } from '#schemas/generated/settings.ts';
import { gateClosed, noBrowserPage, sessionsNotClosed } from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { readExtensionFolder } from '../browsers/extension.ts';
import { isNewFolder } from '../browsers/new-folder.ts';
import { requirePrivate } from '../browsers/only-way-out.ts';
import type { WayOut } from '../browsers/only-way-out.ts';
import { requireShell, requireShellForSettings } from '../browsers/program-gate.ts';
import { abortable } from '../shared/abortable.ts';
import { maskArchive } from './archive.ts';
import { end, launchBrowser } from './launch.ts';
import type { Launched } from './launch.ts';
import type { Launch, PlaywrightPort, Scope } from './port.ts';
import { PlaywrightBrowserSession } from './session.ts';
import type { SessionAround } from './session.ts';
import { deviceNames } from './shape.ts';

/** The second engine of one unit, closed at its end. */
export const provider: Provider<'playwright'> = {
  open(context) {
    const engine = new Engine(context);
    context.release(() => engine.quit());
    context.eachRow(() => engine.save());
    return engine;
  },
  evidence: (port, signal) => (port.isOpen ? port.session.evidence(signal) : Promise.resolve([])),
};

/** Time limit (ms) for the browser to go back to what it showed. */
const RESTORE_MS = 20_000;

class Engine implements PlaywrightPort {
  readonly #context: PortContext;
  #open: { readonly launched: Launched; readonly session: PlaywrightBrowserSession } | undefined;

  constructor(context: PortContext) {
    this.#context = context;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get session(): PlaywrightBrowserSession {
    if (!this.#open) throw noBrowserPage();
    // Closed since it was started, by an action: what it has open can ask anything.
    if (this.#isHeld && !this.#open.launched.proxy) throw gateClosed({ gate: 'private', subject: 'the open browser' });
    return this.#open.session;
  }

  async launch(scope: Base, wanted: Launch): Promise<void> {
    await this.#requireShell(scope, wanted);
    const proxy = this.#isHeld ? await this.#onlyWayOut(scope, wanted) : undefined;
    await this.quit();
    const launched = await launchBrowser(wanted, this.#context, scope.signal, proxy);
    try {
      const page = launched.context.pages()[0] ?? (await abortable(launched.context.newPage(), scope.signal));
      this.#open = { launched, session: new PlaywrightBrowserSession(launched, page, this.#around(wanted)) };
    } catch (error) {
      await end(launched, this.#graceMs);
      throw error;
    }
  }

  #around({ archive }: Launch): SessionAround {
    const { settings, masked, host } = this.#context;
    const now = (): number => host.clock.monotonic();
    return { settings, now, masked, archive, archived: (path) => maskArchive(path, this.#context) };
  }

  /**
   * A profile may bring extensions and the programs that they speak with: only one that the browser makes itself needs
   * no gate.
   */
  async #requireShell(scope: Base, { options, profile }: Launch): Promise<void> {
    requireShellForSettings(scope, this.#context.settings);
    requireShell(scope, { launch: options, profile });
    if (profile !== undefined && !(await isNewFolder(this.#context, profile))) scope.require('shell', profile);
  }

  /** The gate `private` is denied: nothing that a browser of ours asks may be a private place. */
  get #isHeld(): boolean {
    return this.#context.isDenied('private');
  }

  /** Only Chromium is known to keep to one. */
  async #onlyWayOut(scope: Base, { browser, options }: Launch): Promise<WayOut> {
    if (browser !== 'chromium') scope.require('private', browser);
    requirePrivate(scope, [this.#context.settings.browser?.args, options]);
    return (await this.#context.port('browserProxy')).open();
  }

  /**
   * A browser that was launched since is closed, one that was open gets back what it showed. One that was closed cannot
   * come back.
   */
  async save(): Promise<() => Promise<void>> {
    const kept = this.#open;
    const restore = await kept?.session.save(() => ({ signal: AbortSignal.timeout(RESTORE_MS) }));
    return async () => {
      if (this.#open !== kept) await this.quit();
      if (kept !== this.#open) throw new Error('the browser that setup had opened was closed');
      await restore?.();
    };
  }

  async quit(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const trouble = await end(open.launched, this.#graceMs);
    if (open.session.archive !== undefined) await maskArchive(open.session.archive, this.#context);
    if (trouble !== undefined) throw sessionsNotClosed({ failed: 1, count: 1, cause: trouble });
  }

  get #graceMs(): number {
    return this.#context.settings.limits?.browser_close_ms ?? BROWSER_CLOSE_MS;
  }

  warn(text: string): void {
    this.#context.notice('warning', text);
  }

  deviceNames(): Promise<readonly string[]> {
    return deviceNames();
  }

  async extensionSwitches(folder: string): Promise<readonly [string, string]> {
    const path = await readExtensionFolder(this.#context.host, folder);
    return [`--disable-extensions-except=${path}`, `--load-extension=${path}`];
  }

  evaluate(scope: Scope, body: string, args: readonly Json[]): Promise<unknown> {
    return this.session.evaluate(scope, `(args) => (function () {${body}\n}).apply(null, args)`, args);
  }

  evaluateInFrames(scope: Scope, body: string): Promise<void> {
    return this.session.evaluateInFrames(scope, body);
  }
}
