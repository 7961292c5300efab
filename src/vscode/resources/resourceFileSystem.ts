/**
 * Serves `mcphost:` URIs as read-only files: resources of servers, and results of tools run by hand.
 * An error of the server is thrown as such, so that the editor shows it instead of an empty file.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, MutableDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ResourceContent } from '../../host/catalog/resourceContents.ts';
import { isNotFound } from '../../host/catalog/resources.ts';
import type { ServerConnection } from '../../host/servers/connection.ts';
import type { McpHost } from '../../host/servers/host.ts';
import { neverAborted } from '../cancellation.ts';
import { errorText } from '../errorText.ts';
import { resourceScheme } from '../ids.ts';
import { resultAuthority, type ResultFiles } from '../tools/resultFiles.ts';
import { fromEditorUri, type ResourceAddress } from './resourceUri.ts';

export class ResourceFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #host: McpHost;
  readonly #results: ResultFiles;
  readonly #store = new DisposableStore();
  readonly #changes = this.#store.add(new Emitter<vscode.FileChangeEvent[]>());
  /** A file's time moves when its server says that it changed: the editor then reads it again. */
  readonly #modified = new Map<string, number>();
  readonly onDidChangeFile = this.#changes.event;

  constructor(host: McpHost, results: ResultFiles) {
    this.#host = host;
    this.#results = results;
    this.#store.add(
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
    const watching = new MutableDisposable<Disposable>();
    let watched: ServerConnection | undefined;
    const follow = (): void => {
      const connection = this.#connection(address);
      if (connection !== watched) {
        watched = connection;
        watching.value = connection && this.#watchOn(connection, address, uri);
      }
    };
    // A changed entry makes a new connection; the document stays open over that.
    const changes = this.#host.onDidChangeServers(follow);
    follow();
    return vscode.Disposable.from(changes, watching);
  }

  #watchOn(
    { resources }: ServerConnection,
    address: ResourceAddress,
    uri: vscode.Uri,
  ): vscode.Disposable {
    const changes = resources.onDidChange((changed) => {
      if (changed.startsWith(address.uri)) {
        this.#modified.set(uri.toString(), Date.now());
        this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      }
    });
    return vscode.Disposable.from(changes, resources.watch(address.uri));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (isDirectory(uri)) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { byteLength } = await this.readFile(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: this.#modified.get(uri.toString()) ?? 0,
      size: byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (uri.authority === resultAuthority) {
      const bytes = this.#results.read(uri);
      if (bytes === undefined) {
        throw vscode.FileSystemError.FileNotFound(
          vscode.l10n.t('This result is no longer kept. Run the tool again.'),
        );
      }
      return bytes;
    }
    const address = fromEditorUri(uri);
    const connection = address === undefined ? undefined : this.#connection(address);
    if (address === undefined || connection === undefined) {
      throw vscode.FileSystemError.FileNotFound(
        vscode.l10n.t('The MCP server of this resource is no longer configured.'),
      );
    }
    try {
      return join(await connection.resources.read(address.uri, neverAborted));
    } catch (error) {
      const text = errorText(error);
      throw isNotFound(error)
        ? vscode.FileSystemError.FileNotFound(text)
        : vscode.FileSystemError.Unavailable(text);
    }
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw readOnly();
  }

  writeFile(): never {
    throw readOnly();
  }

  delete(): never {
    throw readOnly();
  }

  rename(): never {
    throw readOnly();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #connection(address: ResourceAddress): ServerConnection | undefined {
    return this.#host.servers.get(address.serverId);
  }
}

/** The folders above a file, which the editor looks at for breadcrumbs. */
function isDirectory(uri: vscode.Uri): boolean {
  return uri.path.split('/').filter((part) => part !== '').length < 2;
}

/** The texts of a resource one after the other; of a binary resource, its first part. */
function join(contents: readonly ResourceContent[]): Uint8Array {
  const [first] = contents;
  if (first === undefined) {
    return new Uint8Array();
  }
  const texts = contents.filter((content) => content.kind === 'text');
  return texts.length === contents.length && texts.length > 1
    ? Buffer.from(texts.map(({ text }) => text).join('\n'))
    : bytesOf(first);
}

function bytesOf(content: ResourceContent): Uint8Array {
  return content.kind === 'text' ? Buffer.from(content.text) : content.bytes;
}

function readOnly(): vscode.FileSystemError {
  return vscode.FileSystemError.NoPermissions(
    vscode.l10n.t('Resources of MCP servers are read-only.'),
  );
}
