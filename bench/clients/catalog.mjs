// What the host does with very many resources, without an editor: fetch, sort into folders, filter.
export { Catalog } from '../../src/host/catalog/catalog.ts';
export { filterItems } from '../../src/host/catalog/itemSearch.ts';
export { folderContents } from '../../src/host/resources/resourceFolders.ts';
export { listAll } from '../../src/mcp/client/listing.ts';
export { connect } from '../../src/mcp/client/connect.ts';
export { StdioTransport } from '../../src/mcp/transport/stdio/stdio.ts';
