// Modules that have no types of their own.

/** Made by esbuild.mjs: every test/host/**\/*.test.ts by its path below test/host, as a function that loads it. */
declare module 'host-tests:all' {
  export const files: Readonly<Record<string, () => unknown>>;
}

/** mocha as CommonJS: an extension host's Node gives `require('mocha')`, an ES module, in two different shapes. */
declare module 'mocha/lib/mocha.cjs' {
  export = Mocha;
}

declare module '*/reporter.cjs' {
  const CountingReporter: Mocha.ReporterConstructor;
  export = CountingReporter;
}
