/**
 * Counts the memory that data of servers takes: one account for each server, one for all. Every holder of such data
 * adds it here. Over a budget the newest data is refused, and a server that continues is stopped. Data that can be
 * requested again is dropped first.
 */
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { HeldMemory, MemoryAccount } from '../../base/memory.ts';
import { raisedBy, type ServerLimits } from '../config/serverConfig.ts';

const mebi = 2 ** 20;

export const memoryBudgets = {
  /** Bytes of one server; the default of the entry. */
  serverBytes: 128 * mebi,
  /** Bytes of all servers; or of one whose entry allows more. */
  allBytes: 256 * mebi,
  /** A server with less than this is not refused because of other servers. */
  shareBytes: 8 * mebi,
  /** Refusals within {@link refusalsMs} after which a server is stopped. */
  refusals: 10,
  refusalsMs: 60_000,
} as const;

/** The budget of a server with these limits: at least two of its largest messages. */
export function budgetOf({ memoryBytes, messageBytes = 0 }: ServerLimits = {}): number {
  return memoryBytes ?? Math.max(memoryBudgets.serverBytes, 2 * messageBytes);
}

interface All {
  used: number;
  limit: number;
  /** Data that can be dropped, oldest first. */
  readonly spare: Set<Held>;
}

export class ServerMemory {
  readonly #all: All;

  constructor(limit: number = memoryBudgets.allBytes) {
    this.#all = { used: 0, limit, spare: new Set() };
  }

  /** Bytes of all servers. */
  get used(): number {
    return this.#all.used;
  }

  /** For one server. */
  open(limit: number = memoryBudgets.serverBytes): ServerAccount {
    this.#all.limit = Math.max(this.#all.limit, limit);
    return new ServerAccount(new Budget(this.#all, limit));
  }
}

/** Budget and use of one server. */
class Budget {
  readonly limit: number;
  readonly exceeded = new Emitter<void>();
  used = 0;
  refusal = '';
  readonly #all: All;
  #refusedAt: readonly number[] = [];

  constructor(all: All, limit: number) {
    this.#all = all;
    this.limit = limit;
  }

  add(bytes: number): void {
    this.used += bytes;
    this.#all.used += bytes;
  }

  offer(held: Held): void {
    this.#all.spare.add(held);
  }

  withdraw(held: Held): void {
    this.#all.spare.delete(held);
  }

  /** Drops spare data if that makes enough room. */
  admits(bytes: number, wanted?: Held): boolean {
    const all = this.#all;
    const fits = (): boolean => this.used + bytes <= this.limit;
    const fitsAll = (): boolean =>
      this.used + bytes <= memoryBudgets.shareBytes || all.used + bytes <= all.limit;
    for (const held of all.spare) {
      if (bytes > this.limit || (fits() && fitsAll())) {
        break;
      }
      if (held !== wanted && (fits() || held.budget === this)) {
        held.giveWay();
      }
    }
    if (!fits()) {
      this.refusal = `would take more memory than the ${inMebi(this.limit)} that the server may use, ${raisedBy('limits.memoryMegabytes')}`;
      return false;
    }
    if (!fitsAll()) {
      this.refusal = `would take more memory than the ${inMebi(all.limit)} that all servers may use together`;
      return false;
    }
    return true;
  }

  /** For data that cannot be dropped. Only a server over its own budget is blamed. */
  noteRefusal(bytes: number): void {
    if (this.used + bytes <= this.limit) {
      return;
    }
    const now = performance.now();
    const since = now - memoryBudgets.refusalsMs;
    this.#refusedAt = [...this.#refusedAt.filter((at) => at > since), now];
    if (this.#refusedAt.length >= memoryBudgets.refusals) {
      this.#refusedAt = [];
      this.exceeded.fire();
    }
  }
}

export class ServerAccount implements MemoryAccount, Disposable {
  readonly #budget: Budget;
  readonly #holders: Holders = { held: new Set(), isOver: false };
  /** Fires when the server continues with refused data: it has to be stopped. */
  readonly onDidExceed;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.onDidExceed = budget.exceeded.event;
  }

  /** Bytes of the server. */
  get used(): number {
    return this.#budget.used;
  }

  get refusal(): string {
    return this.#budget.refusal;
  }

  hasRoom(bytes: number): boolean {
    const isAdmitted = this.#budget.admits(bytes);
    if (!isAdmitted) {
      this.#budget.noteRefusal(bytes);
    }
    return isAdmitted;
  }

  hold(drop?: () => void): HeldMemory {
    return new Held(this.#budget, this.#holders, drop);
  }

  /** The same account for one run of the server: disposing it releases all its data. */
  forRun(): ServerAccount {
    return new ServerAccount(this.#budget);
  }

  dispose(): void {
    this.#holders.isOver = true;
    for (const held of this.#holders.held) {
      held.end();
    }
  }
}

/** Of one account. */
interface Holders {
  /** Those that hold something. */
  readonly held: Set<Held>;
  isOver: boolean;
}

class Held implements HeldMemory {
  readonly budget: Budget;
  readonly #holders: Holders;
  readonly #drop: (() => void) | undefined;
  #bytes = 0;

  constructor(budget: Budget, holders: Holders, drop: (() => void) | undefined) {
    this.budget = budget;
    this.#holders = holders;
    this.#drop = drop;
  }

  set(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0 && (this.#holders.isOver || !this.budget.admits(more, this))) {
      if (!this.#holders.isOver && this.#drop === undefined) {
        this.budget.noteRefusal(more);
      }
      return false;
    }
    this.#to(bytes);
    return true;
  }

  /** Drops what can be dropped. */
  giveWay(): void {
    this.#to(0);
    this.#drop?.();
  }

  end(): void {
    this.#to(0);
  }

  #to(bytes: number): void {
    this.budget.add(bytes - this.#bytes);
    this.#bytes = bytes;
    if (bytes === 0) {
      this.#holders.held.delete(this);
      this.budget.withdraw(this);
    } else {
      this.#holders.held.add(this);
      if (this.#drop !== undefined) {
        this.budget.offer(this);
      }
    }
  }
}

function inMebi(bytes: number): string {
  return `${bytes / mebi} MiB`;
}
