/** Connection that can be refused: that of Node fits. */
export interface Refusable {
  readonly writable: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

/** Answers what could not be read as a request, by the code of Node's error, and ends its connection. */
export function refuseUnreadable(code: string | undefined, connection: Refusable): void {
  if (!connection.writable) {
    connection.destroy();
    return;
  }
  const status = statuses[code ?? ''] ?? '400 Bad Request';
  connection.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

const statuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
