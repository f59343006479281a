declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly secretProviders: SecretProviders;
  }
}

/** Source of secrets. Every value that leaves a provider of this port is masked from then on. */
export interface SecretProviders {
  /** The process environment, then the files of a folder where one is given (relative to the working directory). */
  chain(fileRoot: string | null): SecretChain;
}

export interface SecretProvider {
  /** The word before the colon of a reference; `*` takes part for every word. */
  readonly scheme: string;
  /** Null where the name is unknown. */
  get(name: string): Promise<string | null>;
}

export interface SecretChain extends SecretProvider {
  /** The value of `${scheme:name}`, from the providers of that scheme; fails where none knows it. */
  resolveOne(scheme: string, name: string): Promise<string>;
}
