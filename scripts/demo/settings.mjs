// The user settings of the demo's throwaway profile: the servers, and an editor that keeps quiet.
// They are the user's, not the workspace's, so that no question stands before the first start.
import path from 'node:path';
import { localNode, nodeModules } from '../support/project.mjs';

/** The names in the settings below. */
export const demoServers = ['everything', 'everything-http', 'filesystem', 'memory'];

export function demoSettings({ folder, memoryFile, statusFile, httpUrl }) {
  return {
    'mcpHost.servers': {
      everything: { command: localNode, args: [entry('server-everything'), 'stdio'] },
      'everything-http': { url: httpUrl },
      // Its roots take the place of this folder. The workspace among its arguments would have to be consented to.
      filesystem: { command: localNode, args: [entry('server-filesystem'), folder] },
      memory: {
        command: localNode,
        args: [entry('server-memory')],
        env: { MEMORY_FILE_PATH: memoryFile },
      },
    },
    'mcpHostDemo.statusFile': statusFile,
    'mcpHostDemo.showServers': true,
    'workbench.startupEditor': 'readme',
    'workbench.tips.enabled': false,
    'workbench.enableExperiments': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'extensions.autoCheckUpdates': false,
    'extensions.autoUpdate': false,
    'extensions.ignoreRecommendations': true,
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
  };
}

function entry(name) {
  return path.join(nodeModules, '@modelcontextprotocol', name, 'dist', 'index.js');
}
