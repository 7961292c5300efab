/** Content that a view hands over: blocks for a conversation, and files to be saved. */
import { invalidParams } from '../../mcp/errors.ts';
import { isContentBlock } from '../../mcp/samplingParams.ts';
import type { Modality } from '../../mcp/types/apps.ts';
import type { ContentBlock } from '../../mcp/types/content.ts';
import { fromApp } from '../requestOrigin.ts';
import { fileNameFor } from '../resources/mediaTypes.ts';
import { bytesOf, decodeContents } from '../resources/resourceContents.ts';
import type { ViewRequest } from './appConversation.ts';
import type { AppFile } from './appUi.ts';
import type { AppServer } from './uiResource.ts';

/** Files of one request. */
const maxFiles = 20;

/** Whether a block is of a kind that is taken. */
export function fits({ type }: ContentBlock, modalities: readonly Modality[]): boolean {
  return modalities.includes(type === 'resource_link' ? 'resourceLink' : type);
}

/** @throws RpcError for the view */
export function blocksOf(value: unknown): readonly ContentBlock[] {
  if (!Array.isArray(value) || !value.every(isContentBlock)) {
    throw invalidParams(
      'Content must be a list of blocks: text, image, audio, resource, resource_link',
    );
  }
  return value;
}

/**
 * The files of `ui/download-file`, one after the other: contents in the request, resources of the server, and links to
 * pages elsewhere.
 * @throws RpcError for the view; McpError what a read fails with
 */
export async function* filesOf(
  server: AppServer,
  { params, signal }: ViewRequest,
): AsyncGenerator<AppFile | { readonly link: string }> {
  const blocks = blocksOf(params['contents']);
  if (blocks.length === 0 || blocks.length > maxFiles) {
    throw invalidParams(`"contents" must have between 1 and ${maxFiles} items`);
  }
  for (const block of blocks) {
    if (block.type === 'resource') {
      yield* readFiles(block.resource.uri, [block.resource]);
    } else if (block.type !== 'resource_link') {
      throw invalidParams('"contents" must hold resources and links to resources');
    } else if (/^https?:/iu.test(block.uri)) {
      yield { link: block.uri };
    } else {
      const { uri } = block;
      const { contents } = await server.withSession(
        async (session, both) =>
          session.call('resources/read', { uri }, { signal: both, origin: fromApp }),
        signal,
      );
      yield* readFiles(uri, contents);
    }
  }
}

function readFiles(uri: string, contents: readonly unknown[]): readonly AppFile[] {
  return decodeContents(uri, contents).map((content) => ({
    name: fileNameFor(content.uri, content.mimeType),
    bytes: bytesOf(content),
  }));
}
