import { isUIResource, toPrintable } from '@casement/protocol/basics';
import { readToolUi } from '@casement/protocol/resource';
import { isRecord } from '@casement/protocol/start';
import type { StageReport } from './report.js';
import { judge, type Case } from './stage-case.js';
import { toStageWriter } from './stage-words.js';

/** Whether the tool names an app, or its result carries one. */
export const found = ({ facts, app, failedAt }: Case): StageReport => {
  const write = toStageWriter('found', app);
  const { tool, result, lint = [] } = facts;
  if (failedAt === 'found' && app?.failure) return write.failed(app.failure);
  const ui = tool === undefined ? undefined : readToolUi(tool);
  if (ui?.resourceUri !== undefined) {
    return write.passed(`The tool names the app ${toPrintable(ui.resourceUri, 200)}.`, 'started');
  }
  const refused = ui?.broken && ui.findings.find(({ code }) => code === 'resource-uri');
  if (refused) {
    return write.failed({
      step: 'resource',
      code: 'resource-uri',
      message: refused.message,
      hint: refused.fix,
    });
  }
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  if (content.some(isUIResource)) return write.passed('The result of the tool carries an app.', 'started');
  if (app && app.status !== 'idle') return write.passed('An app was asked for.', 'started');
  const misplaced = lint.find(({ stage, severity }) => stage === 'found' && severity === 'error');
  return misplaced
    ? { stage: 'found', verdict: 'failed', witness: 'host', seen: misplaced.message, fix: misplaced.fix }
    : { stage: 'found', verdict: 'open', witness: 'host', seen: 'The tool names no app.' };
};

/** Whether the server was told that apps are shown, and says that it has resources. */
export const advertised = ({ facts, app, failedAt }: Case): StageReport => {
  const write = toStageWriter('advertised', app);
  const { server, tool } = facts;
  if (failedAt === 'found') return write.open();
  if (server?.advertised === undefined) {
    return write.unknown('Nobody noted whether the server was told that this client shows apps.');
  }
  if (!server.advertised) {
    return write.doubtful({
      seen: 'The server was not told that this client shows apps.',
      cause: 'A server may leave its apps out for clients that do not say that they show them.',
      fix: 'Have the client declare the extension io.modelcontextprotocol/ui in its capabilities.',
    });
  }
  const isNamed = tool !== undefined && readToolUi(tool).resourceUri !== undefined;
  if (isNamed && server.capabilities && server.capabilities.resources === undefined) {
    return write.doubtful({
      seen: 'A tool names an app, and the server does not declare that it has resources.',
      cause: 'A host need not read resources from a server that does not declare any; the app is one.',
      fix: 'Add "resources": {} to the capabilities in the answer to initialize.',
    });
  }
  return write.passed('The server was told that this client shows apps (io.modelcontextprotocol/ui).');
};

/** Whether the server gave the document of the app. */
export const read = (one: Case): StageReport => {
  const { app } = one;
  const write = toStageWriter('read', app);
  switch (judge('read', one)) {
    case 'failed':
      return app?.failure ? write.failed(app.failure) : write.open();
    case 'now':
      return write.waiting('The server was asked for the resource and has not answered yet.');
    case 'over':
      return write.passed(
        app?.resource
          ? `${toPrintable(app.resource.uri, 200)} was read: ${app.resource.bytes} bytes.`
          : 'The resource was read.',
        'read',
      );
    case 'open':
      return write.open();
  }
};
