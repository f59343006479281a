import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly jwt: Jwt;
  }
}

/** Signs JSON Web Tokens (RFC 7519) in their compact form. */
export interface Jwt {
  /**
   * Signs the claims as they are given: no claim is added. `key` is the shared secret of the HMAC algorithms, else the
   * text of a private key (PEM, or a JWK as JSON). `header` holds further fields of the header, but for the
   * algorithm. Fails where key and algorithm do not fit.
   */
  sign(claims: JsonObject, key: string, algorithm: JwtAlgorithm, header: JsonObject): Promise<string>;
}

export type JwtAlgorithm =
  | 'HS256'
  | 'HS384'
  | 'HS512'
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA';
