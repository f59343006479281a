declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly awsSignature: AwsSignature;
  }
}

/** Signs requests with signature version 4, by headers. */
export interface AwsSignature {
  /** The headers to send: those given, the date, the token where there is one, and `Authorization`. */
  sign(request: SignedRequest): Readonly<Record<string, string>>;
}

export interface SignedRequest {
  /** Method in capitals. */
  readonly method: string;
  /** Address as it will be sent: the text is signed, not an address that was read and written again. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly region: string;
  readonly service: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}
