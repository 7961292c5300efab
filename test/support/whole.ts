/** Whether tests run whole (`npm run test:all`): every revision, every scenario. Else the newest, and some of each kind. */
export const isWhole = process.env['MCP_HOST_TESTS'] === 'all';
