import type { Base, PortContext, Provider } from '#runtime/kernel/ports.ts';
import { BROWSER_CLOSE_MS } from '#schemas/generated/settings.ts';
import {
  gateClosed,
  noBrowserSession,
  sessionIndexOutOfRange,
  sessionsNotClosed,
} from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { readExtension } from '../browsers/extension.ts';
import type { Extension } from '../browsers/extension.ts';
import { knownBrowsers } from '../browsers/known-browsers.ts';
import type { BrowserName } from '../browsers/known-browsers.ts';
import { requirePrivate } from '../browsers/only-way-out.ts';
import type { WayOut } from '../browsers/only-way-out.ts';
import { requireShell, requireShellForSettings } from '../browsers/program-gate.ts';
import { sandboxNotice } from '../browsers/switches.ts';
import { within } from '../shared/abortable.ts';
import { mergeCapabilities } from './capabilities.ts';
import type { NewSession, Scope, Values, WebDriverPort } from './port.ts';
import type { WebDriverBrowserSession } from './session.ts';
import { startLocalSession, startRemoteSession } from './start-session.ts';
import type { HubAddress, LateSession } from './start-session.ts';

/** Browser sessions of one unit, all closed at its end. */
export const provider: Provider<'webdriver'> = {
  open(context) {
    const sessions = new Sessions(context);
    context.release(() => sessions.end());
    context.eachRow(() => sessions.save());
    return sessions;
  },
  async evidence(port, signal) {
    return port.sessions.length === 0 ? [] : port.current.evidence(signal);
  },
};

/** Time limit (ms) for one session to go back to what it showed. */
const RESTORE_MS = 20_000;

class Sessions implements WebDriverPort {
  readonly #context: PortContext;
  readonly #list: WebDriverBrowserSession[] = [];
  #current: WebDriverBrowserSession | undefined;
  #prepared: Values = {};
  readonly #late = new Set<LateSession>();
  /** Once is enough for all sessions of a unit. */
  #noticed = false;

  constructor(context: PortContext) {
    this.#context = context;
  }

  get sessions(): readonly WebDriverBrowserSession[] {
    return this.#list;
  }

  get current(): WebDriverBrowserSession {
    if (!this.#current) throw noBrowserSession({ count: this.#list.length });
    // Closed since it was started, by an action: what it has open can ask anything.
    if (this.#isHeld && !this.#current.isHeld) throw gateClosed({ gate: 'private', subject: this.#current.browser });
    return this.#current;
  }

  async start(scope: Base, browser: BrowserName, asked: NewSession): Promise<WebDriverBrowserSession> {
    requireShellForSettings(scope, this.#context.settings);
    requireShell(scope, {
      switches: asked.options,
      experimental: asked.experimental_options,
      extensions: asked.extension_paths,
      capabilities: this.#prepared,
    });
    const proxy = this.#isHeld ? await this.#onlyWayOut(scope, browser, asked) : undefined;
    const options = {
      proxy,
      switches: asked.options,
      experimental: asked.experimental_options,
      bidi: asked.enable_bidi,
      extra: this.#prepared,
      extensions: await this.#extensions(browser, asked.extension_paths),
    };
    const { session, sandboxOff } = await startLocalSession(browser, options, this.#context, scope.signal);
    if (sandboxOff && !this.#noticed) this.#context.notice('info', sandboxNotice());
    this.#noticed ||= sandboxOff;
    if (browser === 'firefox') await this.#installAddOns(session, scope, options.extensions);
    this.#add(session, true);
    return session;
  }

  async connect(scope: Base, hub: string, capabilities: Values, register: boolean): Promise<WebDriverBrowserSession> {
    requireShell(scope, { hub: capabilities });
    const remote = { hub: await this.#hub(scope, hub), capabilities, leave: (late: LateSession) => this.#leave(late) };
    const session = await startRemoteSession(remote, this.#context, scope.signal);
    this.#add(session, register);
    return session;
  }

  choose(index: number): void {
    const session = this.#list[index];
    if (!session) throw sessionIndexOutOfRange({ index, count: this.#list.length });
    this.#current = session;
  }

  async quit(): Promise<void> {
    if (this.#current) await this.#close([this.#current]);
  }

  async quitAll(): Promise<void> {
    await this.#close([...this.#list]);
  }

  /** Closes everything, and waits a little for what hubs still have to grant: it is closed too. */
  async end(): Promise<void> {
    try {
      await this.quitAll();
    } finally {
      await within(Promise.all([...this.#late].map(({ closed }) => closed)), this.#graceMs);
      for (const late of this.#late) late.drop();
    }
  }

  #leave(late: LateSession): void {
    this.#late.add(late);
    void late.closed.finally(() => this.#late.delete(late));
  }

  /**
   * Sessions that were started since are closed, the others get back what they showed. One that was closed cannot come
   * back.
   */
  async save(): Promise<() => Promise<void>> {
    const [kept, current, prepared] = [[...this.#list], this.#current, this.#prepared];
    const scope = (): Scope => ({ signal: AbortSignal.timeout(RESTORE_MS) });
    const restores = await Promise.all(kept.map((session) => session.save(scope)));
    return async () => {
      await this.#close(this.#list.filter((session) => !kept.includes(session)));
      this.#prepared = prepared;
      if (kept.some((session) => !this.#list.includes(session)))
        throw new Error('a browser that setup had opened was closed');
      for (const restore of restores) await restore();
      this.#list.splice(0, this.#list.length, ...kept);
      this.#current = current;
    };
  }

  prepare(capabilities: Values): Values {
    this.#prepared = mergeCapabilities(this.#prepared, capabilities);
    return this.#prepared;
  }

  async optionsWithExtension(path: string, options: Values): Promise<Values> {
    const extension = await readExtension(this.#context.host, path);
    const key = extension.kind === 'packed' ? 'extensions' : 'args';
    const value = extension.kind === 'packed' ? extension.base64 : `--load-extension=${extension.path}`;
    const before = options[key];
    return { ...options, [key]: [...(Array.isArray(before) ? before : []), value] };
  }

  evaluate(scope: Scope, body: string, args: readonly Json[]): Promise<unknown> {
    return this.current.command(scope, 'executeScript', { script: body, args });
  }

  evaluateInFrames(scope: Scope, body: string): Promise<void> {
    return this.current.evaluateInFrames(scope, body);
  }

  /** Firefox takes extensions when it runs. A start without them is none. */
  async #installAddOns(
    session: WebDriverBrowserSession,
    scope: Scope,
    extensions: readonly Extension[],
  ): Promise<void> {
    try {
      for (const extension of extensions) await session.installAddOn(scope, extension.path);
    } catch (error) {
      await session.close(this.#graceMs);
      throw error;
    }
  }

  /** The gate `private` is denied: nothing that a browser of ours asks may be a private place. */
  get #isHeld(): boolean {
    return this.#context.isDenied('private');
  }

  /** Only the Chromium family is known to keep to one. */
  async #onlyWayOut(scope: Base, browser: BrowserName, asked: NewSession): Promise<WayOut> {
    if (!knownBrowsers[browser].chromium) scope.require('private', knownBrowsers[browser].title);
    const switches = [...(this.#context.settings.browser?.args ?? []), ...asked.options];
    requirePrivate(scope, [switches, asked.experimental_options, this.#prepared]);
    return (await this.#context.port('browserProxy')).open();
  }

  async #hub(scope: Base, address: string): Promise<HubAddress> {
    if (!this.#isHeld || !URL.canParse(address)) return { address };
    const outbound = await this.#context.port('outbound');
    await outbound.checkHost(new URL(address).hostname, { signal: scope.signal });
    return { address, lookup: outbound.lookup };
  }

  get #graceMs(): number {
    return this.#context.settings.limits?.browser_close_ms ?? BROWSER_CLOSE_MS;
  }

  #add(session: WebDriverBrowserSession, current: boolean): void {
    this.#list.push(session);
    if (current) this.#current = session;
  }

  #extensions(browser: BrowserName, paths: readonly string[]): Promise<Extension[]> {
    const endings = knownBrowsers[browser].chromium ? ['.crx'] : ['.xpi', '.zip'];
    return Promise.all(paths.map((path) => readExtension(this.#context.host, path, endings)));
  }

  /** Sessions are forgotten first: one that does not close is not tried again. */
  async #close(sessions: readonly WebDriverBrowserSession[]): Promise<void> {
    for (const session of sessions) this.#list.splice(this.#list.indexOf(session), 1);
    if (this.#current && sessions.includes(this.#current)) this.#current = undefined;
    const troubles = (await Promise.all(sessions.map((session) => session.close(this.#graceMs)))).filter(
      (each) => each !== undefined,
    );
    if (troubles.length > 0)
      throw sessionsNotClosed({ failed: troubles.length, count: sessions.length, cause: troubles[0] });
  }
}
