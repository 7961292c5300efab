/** Creates the participant for its registration. */
import type { ChatServices } from './chatServices.ts';
import { Participant } from './participant.ts';
import type { ChatBundle } from './registerParticipant.ts';

export function createChat(services: ChatServices): ChatBundle {
  const participant = new Participant(services);
  return {
    handle: (request, context, response, token) =>
      participant.handle(request, context, response, token),
    provideFollowups: (result) => participant.followups(result),
  };
}
