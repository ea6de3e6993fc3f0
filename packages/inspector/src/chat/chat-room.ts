import type { ModelSummary } from '@casement/gateway';
import type { ServerPort } from '@casement/protocol/ports';
import type { Recording } from '@casement/protocol';
import type { ApprovalMemory, ChatModel, Conversation } from '@casement/chat';
import { createConversation, createGatewayModel, createScriptedModel } from '@casement/chat';
import type { FindAppPlace } from '../connection/app-place.js';
import type { GatewayClient } from '../connection/gateway-client.js';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';
import type { ViewSettings } from '../address/view-settings.js';
import type { ChatApps } from './chat-apps.js';
import { createChatApps } from './chat-apps.js';
import { findOffered, toToolCommand } from './tool-command.js';

/** What the chat shows; a new object each time something changed. */
interface ChatRoomState {
  readonly conversation: Conversation;
  /** Counts the conversations of this page: another number is another chat on the screen. */
  readonly number: number;
  readonly models: readonly ModelSummary[];
  /** The id of the one that answers; nothing is the scripted one. */
  readonly model: string;
  /** Why the model the address names is not the one that answers. */
  readonly modelProblem: string;
  /** What stands in the composer. */
  readonly draft: string;
  /** What the page puts into the composer; another object is another text. */
  readonly suggestion: { readonly text: string } | undefined;
}

/** The page's chat: its conversation, and what stays when another begins. */
export interface ChatRoom extends Readable<ChatRoomState> {
  readonly findAppPlace: FindAppPlace;
  readonly ports: Readable<readonly ServerPort[]>;
  readonly apps: ChatApps;
  setDraft(draft: string): void;
  /** Puts the call of a tool into the composer, when the model is offered it. */
  suggest(server: string | undefined, tool: string, args: Readonly<Record<string, unknown>>): void;
  /** Lets another model answer; nothing is the scripted one. */
  chooseModel(id: string): void;
  /** Ends the conversation and begins another. */
  startAnew(): void;
}

/** What a room is made with. */
export interface ChatRoomParts {
  readonly client: GatewayClient;
  readonly findAppPlace: FindAppPlace;
  readonly ports: Readable<readonly ServerPort[]>;
  readonly settings: ViewSettings;
  readonly approvals: ApprovalMemory;
  /** Where the steps of the model are written down. */
  readonly recording: Pick<Recording, 'append'>;
}

/** What an address calls the scripted model, where another is the first. */
const scriptedName = 'scripted';

/** What the app of a call was given as its result: of a call that failed, that it did. */
const findResult = (conversation: Conversation, call: string): unknown => {
  for (const { parts } of conversation.getSnapshot().messages)
    for (const part of parts) {
      if (!('toolCallId' in part) || part.toolCallId !== call) continue;
      const { output, state, errorText = '' } = part;
      return state === 'output-error'
        ? (output ?? { content: [{ type: 'text', text: errorText }], isError: true })
        : output;
    }
  return undefined;
};

/** Creates the room with an empty conversation in it. */
export const createChatRoom = (parts: ChatRoomParts): ChatRoom => {
  const { client, ports, settings, approvals, recording } = parts;
  const apps = createChatApps((call) => findResult(store.getSnapshot().conversation, call));
  const scripted = createScriptedModel();
  let models: readonly ModelSummary[] | undefined;

  /** The one a chat begins with: what the command line named, or else the scripted one. */
  const findFirstModel = (): string => models?.find(({ isFirst }) => isFirst)?.id ?? '';
  /** The id of the model that answers. Until they are listed the address is believed: the gateway refuses by itself. */
  const readModelId = (): string => {
    const { model } = settings.getSnapshot();
    if (model === '') return findFirstModel();
    if (models?.some(({ id }) => id === model)) return model;
    return models === undefined && model !== scriptedName ? model : '';
  };
  const findModel = (): ChatModel => {
    const id = readModelId();
    if (id === '') return scripted;
    const name = models?.find((model) => model.id === id)?.label ?? id;
    return createGatewayModel({ ...client.access, model: id, name });
  };
  const readModelProblem = (): string => {
    const { model } = settings.getSnapshot();
    const isKnown = model === '' || model === scriptedName || models?.some(({ id }) => id === model);
    if (isKnown || models === undefined) return '';
    return `The address names a model that is not there: ${model}. The scripted one answers.`;
  };
  /** The switch holds for the page, not for one conversation; a new page asks. */
  let toolCalls: 'ask' | 'run' = 'ask';
  const begin = (): Conversation =>
    createConversation({
      model: findModel(),
      servers: ports.getSnapshot(),
      approvals,
      recording,
      toolCallPolicy: { toolCalls },
    });

  const store = createStore<ChatRoomState>({
    conversation: begin(),
    number: 1,
    models: [],
    model: readModelId(),
    modelProblem: '',
    draft: '',
    suggestion: undefined,
  });
  const change = (patch: Partial<ChatRoomState>): void => store.set({ ...store.getSnapshot(), ...patch });
  const applyModel = (): void => {
    store.getSnapshot().conversation.setModel(findModel());
    change({ models: models ?? [], model: readModelId(), modelProblem: readModelProblem() });
  };

  let last = settings.getSnapshot().model;
  settings.subscribe(() => {
    const { model } = settings.getSnapshot();
    if (model !== last) applyModel();
    last = model;
  });
  ports.subscribe(() => store.getSnapshot().conversation.setServers(ports.getSnapshot()));
  // Without its models the scripted one is still there.
  void client.models().then(
    (listed) => {
      models = listed;
      applyModel();
    },
    (error: unknown) =>
      change({
        modelProblem: `The models could not be listed: ${error instanceof Error ? error.message : String(error)}`,
      }),
  );

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    findAppPlace: parts.findAppPlace,
    ports,
    apps,
    setDraft: (draft) => change({ draft }),
    chooseModel(id) {
      const isFirst = id === findFirstModel();
      settings.change({ model: isFirst ? '' : id || scriptedName });
    },
    suggest(server, tool, args) {
      const offered = findOffered(store.getSnapshot().conversation.getSnapshot().tools, server, tool);
      if (offered) change({ suggestion: { text: toToolCommand(offered.name, args) } });
    },
    startAnew() {
      const { conversation, number } = store.getSnapshot();
      ({ toolCalls } = conversation.getSnapshot());
      conversation.close();
      apps.choose(undefined);
      change({ conversation: begin(), number: number + 1, draft: '', suggestion: undefined });
    },
  };
};
