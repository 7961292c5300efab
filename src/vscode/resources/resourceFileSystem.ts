/**
 * Serves `mcphost:` URIs as read-only files: resources of servers, and results of tools that the user ran. A server's
 * error is thrown, so the editor shows it instead of an empty file.
 */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { followResource } from '../../host/resources/watchedResources.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { bytesOf, type ResourceContent } from '../../host/resources/resourceContents.ts';
import { isNotFound } from '../../host/resources/resources.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { neverAborted } from '../text/cancellation.ts';
import { errorText } from '../text/errorText.ts';
import { resourceScheme } from '../ids.ts';
import { resultAuthority, type ResultFiles } from '../text/resultFiles.ts';
import { fromEditorUri, isFolder } from '../text/resourceUri.ts';

interface Parts {
  readonly host: McpHost;
  readonly results: ResultFiles;
  /** Makes one document that shows several contents. */
  readonly drawParts: (
    address: ResourceAddress,
    contents: readonly ResourceContent[],
  ) => Uint8Array;
}

export class ResourceFileSystem extends DisposableOwner implements vscode.FileSystemProvider {
  readonly #parts: Parts;
  readonly #changes = this.store.add(new Emitter<vscode.FileChangeEvent[]>());
  /** What each file held last, and since when: the editor reads a file again whose time is another. */
  readonly #versions = new Map<string, { readonly digest: string; readonly mtime: number }>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(parts: Parts) {
    super();
    this.#parts = parts;
    this.store.add(
      vscode.workspace.registerFileSystemProvider(resourceScheme, this, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
    );
  }

  watch(uri: vscode.Uri): vscode.Disposable {
    const address = fromEditorUri(uri);
    if (address === undefined) {
      return new vscode.Disposable(() => undefined);
    }
    return followResource(this.#parts.host, address, () =>
      this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]),
    );
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (isFolder(uri)) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const bytes = await this.readFile(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#modified(uri.toString(), bytes),
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  #modified(key: string, bytes: Uint8Array): number {
    const digest = createHash('sha256').update(bytes).digest('base64');
    const last = this.#versions.get(key);
    const version = last?.digest === digest ? last : { digest, mtime: Date.now() };
    this.#versions.set(key, version);
    return version.mtime;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (uri.authority === resultAuthority) {
      const bytes = this.#parts.results.read(uri);
      if (bytes === undefined) {
        throw vscode.FileSystemError.FileNotFound(
          vscode.l10n.t('This result is no longer kept. Run the tool again.'),
        );
      }
      return bytes;
    }
    const address = fromEditorUri(uri);
    const connection = address && this.#parts.host.servers.get(address.serverId);
    if (address === undefined || connection === undefined) {
      throw vscode.FileSystemError.FileNotFound(
        vscode.l10n.t('The MCP server of this resource is no longer configured.'),
      );
    }
    let contents: readonly ResourceContent[];
    try {
      contents = await connection.resources.read(address.uri, neverAborted);
    } catch (error) {
      const text = errorText(error);
      throw isNotFound(error)
        ? vscode.FileSystemError.FileNotFound(text)
        : vscode.FileSystemError.Unavailable(text);
    }
    if (address.part === undefined && contents.length > 1) {
      return this.#parts.drawParts(address, contents);
    }
    const content = contents[(address.part ?? 1) - 1];
    if (content === undefined) {
      throw vscode.FileSystemError.FileNotFound(
        vscode.l10n.t('The server no longer gives part {0} of this resource.', address.part ?? 1),
      );
    }
    return bytesOf(content);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  readonly createDirectory = refuse;
  readonly writeFile = refuse;
  readonly delete = refuse;
  readonly rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions(
    vscode.l10n.t('Resources of MCP servers are read-only.'),
  );
}
