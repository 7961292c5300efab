/** What went over a wire, as lines that a person can read and a diff can compare. */

/** Headers that mean something to MCP; the others differ from run to run. */
const toldHeaders = new Set([
  'accept',
  'allow',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'sec-websocket-protocol',
  'sec-websocket-version',
  'upgrade',
]);

export class WireLog {
  readonly lines: string[] = [];

  /** A frame or line of the client, or of the server. */
  frame(from: 'client' | 'server', text: string): void {
    this.lines.push(`${from === 'client' ? '>' : '<'} ${text}`);
  }

  /** Start line and headers of a request or a response. */
  head(from: 'client' | 'server', start: string, headers: Readonly<Record<string, unknown>>): void {
    this.frame(from, start);
    const told = Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => toldHeaders.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, value] of told) {
      this.frame(from, `${name}: ${value}`);
    }
  }
}
