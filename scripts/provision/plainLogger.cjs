// Stands in for VS Code's native logger, which cannot be loaded without a compiler: without it every output channel of
// an extension stays empty. Appends lines to the same files; it rotates none, since these editors live for minutes.
const { appendFileSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  #file;
  #level = 2;
  #isPlain = false;

  constructor(_type, _name, file) {
    this.#file = file;
  }

  trace = (text) => this.#write(0, text);
  debug = (text) => this.#write(1, text);
  info = (text) => this.#write(2, text);
  warn = (text) => this.#write(3, text);
  error = (text) => this.#write(4, text);
  critical = (text) => this.#write(5, text);

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    this.#isPlain = false;
  }

  clearFormatters() {
    this.#isPlain = true;
  }

  flush() {}

  drop() {}

  #write(level, text) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.#file, this.#isPlain ? text : `${time} [${names[level]}] ${text}\n`);
  }
}

async function create(name, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  return new Logger('', name, file);
}

// One by one: the editor imports them by name, and only such exports have names.
exports.version = 0;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
