import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createExtAppsMessageHandler, EXT_APPS_ERROR_CODES } from './index.js';
import { ask, createContext, everything, requests } from './widget.test-support.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');

/** The names an interface of the types file lists. */
const namesOf = (interfaceName: string): string[] => {
  const types = read('ext-apps-types.ts');
  const [, body = ''] = new RegExp(`interface ${interfaceName} \\{([\\s\\S]*?)\\n\\}`).exec(types) ?? [];
  return [...body.matchAll(/^ {2}'?([\w/-]+)'?\??:/gm)].map(([, name = '']) => name);
};

describe('the rules for contributors', () => {
  verifies('S3-81', 'stand in CONTRIBUTING.md as a recipe', () => {
    const [, recipe = ''] =
      /\*\*Add a message a widget may send its server\.\*\*(.*)/.exec(read('../../../../CONTRIBUTING.md')) ??
      [];
    for (const file of ['ext-apps-types.ts', 'widget-routes.ts', 'ext-apps-errors.ts', 'host-gates.test.ts'])
      expect(recipe).toContain(file);
  });

  verifies('S3-81', 'hold: each request of the types file is answered and tried by the gates', async () => {
    const listed = [...namesOf('ExtAppsDocumentRequests'), ...namesOf('ExtAppsSpecRequests')];
    expect(listed.length).toBeGreaterThan(12);
    const { context } = createContext();
    const handler = createExtAppsMessageHandler({ context, hostCapabilities: everything });
    for (const name of listed) {
      const answer = await handler.handleRequest(ask(name, {}));
      expect(answer, name).not.toMatchObject({ error: { code: EXT_APPS_ERROR_CODES.METHOD_NOT_FOUND } });
    }
    const tried = new Set(requests.map(({ method }) => method));
    expect(listed.filter((name) => !tried.has(name))).toEqual([]);
    const known = [...listed, ...namesOf('ExtAppsWidgetNotifications')];
    expect([...tried].filter((name) => !known.includes(name))).toEqual([]);
  });

  verifies('S3-81', 'hold: what was ever answered stays so, under its old name', () => {
    expect(namesOf('ExtAppsDocumentRequests')).toEqual(
      expect.arrayContaining([
        'ui/callServerTool',
        'ui/updateModelContext',
        'ui/openLink',
        'ui/setDisplayMode',
        'ui/close',
        'ui/log',
        'ui/registerTool',
        'ui/unregisterTool',
      ]),
    );
  });
});
