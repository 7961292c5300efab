// Source files that are loaded by `import()` alone, when it comes to what they are for: each becomes a
// bundle of its own, named after the file, beside the one that loads it.
import path from 'node:path';

export const lateModules = [
  'src/mcp/era/inputRequired.ts',
  'src/mcp/era/requestHandlers.ts',
  'src/mcp/era/tasks/extensionTasks.ts',
  'src/mcp/era/tasks/toolTasks.ts',
  'src/mcp/network/route.ts',
  'src/mcp/transport/startFailure.ts',
];

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
        const isLate = lateModules.includes(file);
        if (kind !== 'dynamic-import') {
          return isLate && kind === 'import-statement'
            ? { errors: [{ text: `${file} is a bundle of its own: load it with import()` }] }
            : undefined;
        }
        return isLate
          ? { path: `./${lateName(file)}.cjs`, external: true }
          : { errors: [{ text: `${file} is no bundle of its own: see lateModules.mjs` }] };
      });
    },
  };
}
