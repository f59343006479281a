declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly ai: Ai;
  }
}

/**
 * The one way to a language model. A choice holds for the whole run. Without a choice the environment decides
 * (`SVC_AI_BACKEND`, `SVC_AI_MODEL`, `SVC_AI_EFFORT`), else nothing is ever asked. Commands work without an
 * answer: whoever asks has a fallback that needs none.
 */
export interface Ai {
  /**
   * Contacts nobody. Fails for a name that is not known, and for a model or an effort without a model to ask. Yields
   * what answers from now on.
   */
  select(choice: AiChoice): AiBackend;
  /** Backend in use now. Fails as `select` does, where the environment has chosen. */
  backend(): AiBackend;
  /** A function of the user's answers from now on, before any backend; null removes it. */
  use(callable: AiCallable | null): void;
  readonly hasCallable: boolean;
  /**
   * Fails only where asking again cannot help: a wrong credential, an unknown model, a request that is not understood.
   * Whatever else goes wrong is `none` with its reason, and a notice says that the result was made without a model,
   * unless there is none without it.
   */
  ask(question: AiQuestion): Promise<AiAnswer>;
}

export type AiBackend = 'NoopBackend' | 'ProviderBackend' | 'CallableBackend';
export type AiEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';
/** Function of the user from the prompt to the answer, which must be text. */
export type AiCallable = (prompt: string) => unknown;

export interface AiChoice {
  readonly name: string;
  readonly model?: string;
  readonly effort?: AiEffort;
}

export interface AiQuestion {
  /** Instructions for the model and the form of its answer: written by us. */
  readonly task: string;
  /** Subject of the question. It may come from outside; secrets are hidden in it before it is sent. */
  readonly material: string;
  /** Says of a text that it is what was asked for; without it every text is. */
  readonly fits?: (text: string) => boolean | Promise<boolean>;
  /** Fails the caller where there is no answer: it has no result of its own. */
  readonly needed?: true;
  readonly signal: AbortSignal;
}

export type AiAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: NoAnswer; readonly detail: string };

/** `off`: nothing is asked in this run. */
export type NoAnswer =
  | 'off'
  | 'failed'
  | 'refused'
  | 'cut'
  | 'rate-limit'
  | 'server'
  | 'network'
  | 'timeout'
  | 'empty'
  | 'unreadable';
