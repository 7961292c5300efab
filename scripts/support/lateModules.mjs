// Source files that are loaded by `import()` when it comes to what they are for: each becomes a bundle of
// its own, named after the file, beside the one that loads it. Only each other may they import at once.
import path from 'node:path';

export const lateModules = [
  'src/mcp/era/inputRequired.ts',
  'src/mcp/era/requestHandlers.ts',
  'src/mcp/era/tasks/extensionTasks.ts',
  'src/mcp/era/tasks/toolTasks.ts',
  'src/mcp/network/route.ts',
  'src/mcp/transport/httpErrors.ts',
  'src/mcp/transport/sse.ts',
  'src/mcp/transport/startFailure.ts',
  'src/mcp/transport/webSocket.ts',
];

/** Packages that are loaded so, too: `import('ws')` loads a bundle with that name. */
export const latePackages = ['eventsource-parser', 'ws', 'cross-spawn', 'shell-env'];

export function lateName(file) {
  return path.basename(file, '.ts');
}

/** Bundles what is imported late outside of the bundle that imports it. */
export function lateBundles(root) {
  return {
    name: 'late-bundles',
    setup(build) {
      build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path: id, kind, resolveDir }) => {
        const file = path.relative(root, path.join(resolveDir, id)).replaceAll(path.sep, '/');
        if (kind !== 'dynamic-import') return undefined;
        return lateModules.includes(file)
          ? { path: `./${lateName(file)}.cjs`, external: true }
          : { errors: [{ text: `${file} is no bundle of its own: see lateModules.mjs` }] };
      });
    },
  };
}

/** The same for packages. */
export const packageBundles = {
  name: 'package-bundles',
  setup(build) {
    const filter = new RegExp(`^(?:${latePackages.join('|')})$`);
    build.onResolve({ filter }, ({ path: id, kind }) => {
      if (kind === 'entry-point') return undefined;
      // One such package may be part of another.
      if (kind === 'dynamic-import' || kind === 'require-call')
        return { path: `./${id}.cjs`, external: true };
      return { errors: [{ text: `${id} is a bundle of its own: load it with import('${id}')` }] };
    });
  },
};

/** What is wrong with a build: bundles that hold at once what is to be loaded late. */
export function lateProblems({ outputs }) {
  return Object.entries(outputs)
    .filter(([, { entryPoint = '' }]) => !lateModules.includes(entryPoint))
    .flatMap(([name, { inputs }]) =>
      lateModules
        .filter((file) => Object.hasOwn(inputs, file))
        .map((file) => `${name} holds ${file}: load it with import()`),
    );
}
