/** Bytes on their way through a fault: the same for sockets and pipes. */
import { after } from '../../src/base/async.ts';
import type { StreamFault } from './kinds.ts';

const delayMs = 300;
const loafMs = 15;
const truncatedBytes = 40;
const corruptedEvery = 16;

export class FaultyBytes {
  readonly #write: (bytes: Buffer) => void;
  readonly #end: () => void;
  readonly #isOpen: () => boolean;
  #held: Buffer | undefined;
  #passed = 0;
  #loafing: Buffer = Buffer.alloc(0);

  /**
   * @param end closes the stream, for what breaks off
   * @param isOpen whether anybody takes what is written
   */
  constructor(write: (bytes: Buffer) => void, end: () => void, isOpen: () => boolean) {
    this.#write = write;
    this.#end = end;
    this.#isOpen = isOpen;
  }

  take(fault: StreamFault | undefined, bytes: Buffer): void {
    switch (fault) {
      case undefined:
        this.#write(bytes);
        return;
      case 'drop':
      case 'halfOpen':
        return;
      case 'delay':
        after(delayMs, () => this.#write(bytes));
        return;
      case 'duplicate':
        this.#write(bytes);
        this.#write(bytes);
        return;
      case 'reorder':
        this.#reorder(bytes);
        return;
      case 'truncate': {
        const rest = truncatedBytes - this.#passed;
        this.#passed += bytes.length;
        this.#write(bytes.subarray(0, Math.max(0, rest)));
        if (bytes.length > rest) {
          this.#end();
        }
        return;
      }
      case 'corrupt':
        this.#write(
          Buffer.from(bytes.map((byte, at) => (at % corruptedEvery === 7 ? byte ^ 0x55 : byte))),
        );
        return;
      case 'slowLoris':
        this.#loaf(bytes);
    }
  }

  /** The second of two goes first; one that stays alone goes after a while. */
  #reorder(bytes: Buffer): void {
    const held = this.#held;
    if (held !== undefined) {
      this.#held = undefined;
      this.#write(bytes);
      this.#write(held);
      return;
    }
    this.#held = bytes;
    after(delayMs, () => {
      if (this.#held === bytes) {
        this.#held = undefined;
        this.#write(bytes);
      }
    });
  }

  #loaf(bytes: Buffer): void {
    const isIdle = this.#loafing.length === 0;
    this.#loafing = Buffer.concat([this.#loafing, bytes]);
    const step = (): void => {
      this.#write(this.#loafing.subarray(0, 1));
      this.#loafing = this.#loafing.subarray(1);
      if (this.#loafing.length > 0 && this.#isOpen()) {
        after(loafMs, step);
      }
    };
    if (isIdle && bytes.length > 0) {
      step();
    }
  }
}
