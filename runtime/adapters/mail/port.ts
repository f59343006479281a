declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly mail: Mail;
  }
}

/**
 * Hands messages to an SMTP server. The server's address is checked by the port `outbound`, and the connection goes to
 * an address that was checked. Fails unless the server took the message for every recipient.
 */
export interface Mail {
  send(
    message: MailMessage,
    server: MailServer,
    options: { readonly timeout_ms: number; readonly signal: AbortSignal },
  ): Promise<void>;
}

/** Plain text. Line breaks and other control characters in `subject` and in addresses are refused. */
export interface MailMessage {
  /** `ops@x.example`, or `Ops <ops@x.example>`. */
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /**
   * The connection becomes a TLS one before anything is told: at once on port 465, else by STARTTLS; the certificate
   * must be valid.
   */
  readonly tls: boolean;
  /** Only with `tls`: a password is never sent in the clear. */
  readonly login?: { readonly user: string; readonly password: string };
}
