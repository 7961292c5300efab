/**
 * Tells to which conversation a request over HTTP belongs. An address alone does not say it: a server has
 * several sessions, and the port of one that is gone may be the next one's.
 */
import { Conversation, type Checker, messagesIn } from './conversation.ts';

/** What is known of a request when it is sent. */
export interface HttpRequest {
  /** Host and port, or the path of a socket. */
  readonly place: string;
  readonly path: string;
  /** `Mcp-Session-Id` */
  readonly session: string | undefined;
  readonly body: string;
}

/** What was said at one place. */
class Place {
  /** Where nothing says which one it is. */
  newest: Conversation;
  readonly sessions = new Map<string, Conversation>();
  /** Of HTTP+SSE: the path that a stream named for what is posted. */
  readonly endpoints = new Map<string, Conversation>();

  constructor(newest: Conversation) {
    this.newest = newest;
  }
}

export class HttpConversations {
  readonly #checker: Checker;
  readonly #places = new Map<string, Place>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  of({ place: name, path, session, body }: HttpRequest): Conversation {
    const place = this.#place(name);
    const named = session === undefined ? place.endpoints.get(path) : place.sessions.get(session);
    if (named !== undefined) {
      return named;
    }
    if (messagesIn(body).some(({ method }) => method === 'initialize')) {
      place.newest = new Conversation(this.#checker);
    }
    return place.newest;
  }

  /** The server gave the conversation this session id. */
  nameSession({ place }: HttpRequest, session: string, conversation: Conversation): void {
    this.#place(place).sessions.set(session, conversation);
  }

  /** A stream of HTTP+SSE begins a conversation, in which the client posts to `endpoint`. */
  beginStream({ place, path }: HttpRequest, endpoint: string): Conversation {
    const conversation = new Conversation(this.#checker);
    const base = `http://server${path}`;
    if (URL.canParse(endpoint, base)) {
      const { pathname, search } = new URL(endpoint, base);
      this.#place(place).endpoints.set(`${pathname}${search}`, conversation);
    }
    return conversation;
  }

  /** Another server listens, at a port of any host or at the path of a socket. */
  forget(address: number | string): void {
    for (const place of this.#places.keys()) {
      if (place === address || place.endsWith(`:${address}`)) {
        this.#places.delete(place);
      }
    }
  }

  #place(name: string): Place {
    const place = this.#places.get(name) ?? new Place(new Conversation(this.#checker));
    this.#places.set(name, place);
    return place;
  }
}
