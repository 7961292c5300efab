import type { CallOptions, Session } from '../../src/mcp/session/session.ts';

/** The text that a tool answers with. */
export async function textOf(
  session: Session,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): Promise<string> {
  const { content } = await session.call('tools/call', { name, arguments: args }, options);
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}
