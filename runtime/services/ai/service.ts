import type { Environment, PortContext, Ports, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { AI_ANSWER_CHARACTERS, AI_MS } from '#schemas/generated/settings.ts';
import { Failure } from '#schemas/types/failure.ts';

import { chatBody, readChat } from './chat-completions.ts';
import type { ChatResult } from './chat-completions.ts';
import { chosen, chosenByEnvironment } from './choice.ts';
import type { Chosen } from './choice.ts';
import type { Ai, AiAnswer, AiBackend, AiCallable, AiChoice, AiQuestion } from './port.ts';

export const provider: Provider<'ai'> = {
  open: async (context) =>
    new AiService(context, {
      environment: await context.port('environment'),
      http: () => context.port('http'),
      shared: context.ofRun<Shared>('ai', () => ({ chosen: undefined, callable: null })),
    }),
};

/** State that all units of a run share. */
interface Shared {
  chosen: Chosen | undefined;
  callable: AiCallable | null;
}

interface Parts {
  readonly environment: Environment;
  /** Opened at the first question: who only chooses loads no client. */
  readonly http: () => Promise<Ports['http']>;
  readonly shared: Shared;
}

const OTHER: ChatResult = { kind: 'none', reason: 'unreadable', detail: 'the answer is not what was asked for' };

class AiService implements Ai {
  readonly #context: PortContext;
  readonly #parts: Parts;

  constructor(context: PortContext, parts: Parts) {
    this.#context = context;
    this.#parts = parts;
  }

  select(choice: AiChoice): AiBackend {
    this.#parts.shared.chosen = chosen(choice);
    return this.backend();
  }

  backend(): AiBackend {
    if (this.hasCallable) return 'CallableBackend';
    return this.#chosen().kind === 'noop' ? 'NoopBackend' : 'ProviderBackend';
  }

  use(callable: AiCallable | null): void {
    this.#parts.shared.callable = callable;
  }

  get hasCallable(): boolean {
    return this.#parts.shared.callable !== null;
  }

  async ask(question: AiQuestion): Promise<AiAnswer> {
    const { callable } = this.#parts.shared;
    const choice = this.#chosen();
    if (!callable && choice.kind === 'noop') return { kind: 'none', reason: 'off', detail: 'no backend is chosen' };
    const shown = { ...question, material: this.#context.masked(question.material) };
    const said = callable ? await this.#call(callable, shown) : await this.#send(shown, choice);
    const isOther = said.kind === 'text' && question.fits && !(await question.fits(said.text));
    const answer: ChatResult = isOther ? OTHER : said;
    if (answer.kind === 'rejected') throw fail.aiRejected({ status: answer.status, detail: answer.detail });
    if (answer.kind === 'none' && !question.needed)
      this.#context.notice('warning', fail.aiFellBack({ reason: answer.reason, detail: answer.detail }).message, {
        once: `ai ${answer.reason}`,
      });
    return answer;
  }

  #chosen(): Chosen {
    return (this.#parts.shared.chosen ??= chosenByEnvironment((key) => this.#parts.environment.get(key)));
  }

  async #call(callable: AiCallable, { task, material, signal }: AiQuestion): Promise<ChatResult> {
    const limit = this.#context.settings.limits?.ai_ms ?? AI_MS;
    const stopped = new AbortController();
    const cancel = this.#context.host.clock.timer(limit, () => stopped.abort());
    try {
      const either = AbortSignal.any([signal, stopped.signal]);
      const answer = await Promise.race([called(callable, `${task}\n\n${material}`), whenAborted(either)]);
      signal.throwIfAborted();
      return answer === aborted
        ? { kind: 'none', reason: 'timeout', detail: `no answer in ${limit / 1000} s` }
        : answer;
    } finally {
      cancel();
    }
  }

  async #send(question: AiQuestion, choice: Chosen): Promise<ChatResult> {
    if (choice.kind === 'noop') return { kind: 'none', reason: 'off', detail: 'no backend is chosen' };
    const http = await this.#parts.http();
    const { limits } = this.#context.settings;
    const url = this.#address();
    try {
      const answer = await http.send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...this.#login() },
        body: JSON.stringify(chatBody(question, choice)),
        timeout_ms: limits?.ai_ms ?? AI_MS,
        signal: question.signal,
      });
      return readChat(answer, limits?.ai_answer_characters ?? AI_ANSWER_CHARACTERS);
    } catch (error) {
      question.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      const { kinds, name } = error.facts;
      return { kind: 'none', reason: kinds.includes('timeout') ? 'timeout' : 'network', detail: name };
    }
  }

  #address(): URL {
    const base = this.#parts.environment.get('SVC_AI_URL') ?? '';
    const url = URL.parse(`${base.replace(/\/+$/, '')}/chat/completions`);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw fail.aiUnconfigured({
        reason: base === '' ? 'SVC_AI_URL is not set' : 'SVC_AI_URL is no http or https address without a login',
      });
    return url;
  }

  /** A server on this machine often asks for none. */
  #login(): Record<string, string> {
    const key = this.#parts.environment.get('SVC_AI_API_KEY');
    if (key === undefined || key === '') return {};
    this.#context.mask(key);
    return { authorization: `Bearer ${key}` };
  }
}

/** The answer of the user's function. Fails where it is no text: asking again cannot help. */
async function called(callable: AiCallable, prompt: string): Promise<ChatResult> {
  let answer: unknown;
  try {
    answer = await callable(prompt);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'none', reason: 'failed', detail: `its function failed: ${reason}` };
  }
  if (typeof answer !== 'string')
    throw fail.aiBackendChoice({ reason: `its function yields ${typeof answer}; it must yield text` });
  return answer.trim() === ''
    ? { kind: 'none', reason: 'empty', detail: 'the answer is empty' }
    : { kind: 'text', text: answer };
}

const aborted: unique symbol = Symbol('aborted');

async function whenAborted(signal: AbortSignal): Promise<typeof aborted> {
  return await new Promise((resolve) => {
    if (signal.aborted) resolve(aborted);
    else signal.addEventListener('abort', () => resolve(aborted), { once: true });
  });
}
