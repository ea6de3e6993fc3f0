import { describe, expect, test } from 'vitest';
import type { DoctorFinding } from '../doctor/report.js';
import { lintServer, lintTool } from './lint-server.js';

const reads = { annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } };
const ui = { resourceUri: 'ui://weather/app.html' };
const good = { name: 'show-weather', description: 'Shows the weather.', ...reads, _meta: { ui } };
const resources = [{ uri: 'ui://weather/app.html', name: 'app' }];

const codes = (findings: readonly DoctorFinding[]): string[] => findings.map(({ code }) => code);
const one = (tool: unknown, listed = { tools: [good], resources }): DoctorFinding => {
  const [finding, ...others] = lintTool(tool, listed);
  expect(others).toEqual([]);
  if (!finding) throw new Error('nothing was found');
  return finding;
};

describe('a good server', () => {
  test('has no finding', () => {
    const helper = { name: 'poll', description: 'Used by the app to poll.', ...reads };
    const hidden = { ...helper, name: 'save', _meta: { ui: { visibility: ['app'] } } };
    const writer = {
      name: 'delete',
      inputSchema: {},
      annotations: { readOnlyHint: false, destructiveHint: true },
    };
    const listing = {
      uri: ui.resourceUri,
      _meta: { ui: { csp: { connectDomains: [] }, prefersBorder: true } },
    };
    expect(lintServer({ tools: [good, helper, hidden, writer], resources: [listing] })).toEqual([]);
  });

  test('may keep its resources unlisted, and have templates', () => {
    expect(lintTool(good, { tools: [good], resources: [] })).toEqual([]);
    const near = [{ uri: 'ui://weather/apps.html' }];
    const templates = [{ uriTemplate: 'ui://weather/{page}' }];
    expect(lintTool(good, { tools: [good], resources: near, templates })).toEqual([]);
  });

  test('may use the plain words for something else', () => {
    const meta = {
      domain: 'sales',
      permissions: { admin: true },
      visibility: 'public',
      csp: 'none',
      uri: 'x',
    };
    expect(lintTool({ ...good, ...meta, _meta: { ...meta, ui } }, { tools: [good] })).toEqual([]);
  });
});

describe('the annotations of a tool', () => {
  test('are missed where there are none, with what to write', () => {
    const finding = one({ ...good, annotations: { title: 'Weather' } });
    expect(finding).toMatchObject({ code: 'annotations-missing', severity: 'note', path: 'annotations' });
    expect(finding.fix).toContain('"annotations": { "readOnlyHint": true }');
  });

  test('cannot say that a call only reads and that it destroys', () => {
    const finding = one({ ...good, annotations: { readOnlyHint: true, destructiveHint: true } });
    expect(finding).toMatchObject({ code: 'annotations-contradict', severity: 'warning' });
    expect(finding.fix).toBe(
      'Remove "destructiveHint": true if it only reads; otherwise write "readOnlyHint": false.',
    );
  });
});

describe('the visibility of a tool', () => {
  test.each([
    'Saves the layout. App-only.',
    'Called only by the app.',
    'Returns a page of rows; used exclusively by the widget.',
    'Internal tool for the UI.',
    'For the view only.',
    'Polls the state. Not meant for the model.',
    'Fetches bytes; the model should never call this.',
  ])('was forgotten where its own words say that no model calls it: %s', (description) => {
    const finding = one({ name: 'poll', ...reads, description });
    expect(finding.code).toBe('visibility-forgotten');
    expect(finding.fix).toBe('Add "_meta": { "ui": { "visibility": ["app"] } } to the tool.');
  });

  test.each([
    'Returns the settings used by the app.',
    'Opens the app only if it is installed.',
    'Works only for the app store.',
    'Lists what the view shows.',
    'A tool for the model and the app.',
  ])('was not forgotten where the words do not say so: %s', (description) => {
    expect(lintTool({ name: 'poll', ...reads, description }, { tools: [good] })).toEqual([]);
  });

  test('is nobody’s business on a server without apps', () => {
    const tool = { name: 'poll', ...reads, description: 'App-only.' };
    expect(lintTool(tool, { tools: [tool] })).toEqual([]);
  });

  test.each([
    [[], 'visibility-empty'],
    [['user'], 'visibility-unknown'],
  ])('%j lets nobody in that exists', (visibility, code) => {
    expect(one({ ...good, _meta: { ui: { ...ui, visibility } } }).code).toBe(code);
  });
});

describe('metadata of a tool in the wrong place', () => {
  const { _meta, ...bare } = good;
  expect(_meta).toBeDefined();

  test.each([
    [{ ui }, 'ui.resourceUri'],
    [{ resourceUri: ui.resourceUri }, 'resourceUri'],
    [{ _meta: { resourceUri: ui.resourceUri } }, '_meta.resourceUri'],
  ])('%j: the link is named, with the line', (misplaced, path) => {
    const finding = one({ ...bare, ...misplaced });
    expect(finding).toMatchObject({ code: 'metadata-misplaced', severity: 'error', stage: 'found', path });
    expect(finding.fix).toContain('"_meta": { "ui": { "resourceUri": "ui://weather/app.html" } }');
  });

  test.each(['resource_uri', 'resourceUrl', 'resourceURI', 'uri', 'resoureUri'])(
    'a misspelt key leads to the right one: %s',
    (key) => {
      const finding = one({ ...bare, _meta: { ui: { [key]: ui.resourceUri } } });
      expect(finding).toMatchObject({ code: 'metadata-misspelt', severity: 'error' });
      expect(finding.fix).toContain('Did you mean resourceUri?');
      expect(finding.fix).toContain('"resourceUri": "ui://weather/app.html"');
    },
  );

  test('a policy beside _meta.ui belongs on the resource', () => {
    const csp = { connectDomains: ['https://api.example.com'] };
    const finding = one({ ...good, _meta: { ui, csp } });
    expect(finding.message).toContain('_meta.ui.csp of the resource');
  });

  test('in _meta.ui of the tool it is found by who reads the resource, and not a second time', () => {
    const csp = { connectDomains: ['https://api.example.com'] };
    expect(lintTool({ ...good, _meta: { ui: { ...ui, csp } } }, { tools: [good], resources })).toEqual([]);
  });
});

describe('metadata of a resource in the wrong place', () => {
  test.each([
    [{ csp: { connectDomains: ['https://a.example'] } }, 'csp'],
    [{ _meta: { csp: { connectDomains: ['https://a.example'] } } }, '_meta.csp'],
    [{ ui: { csp: { connectDomains: ['https://a.example'] } } }, 'ui.csp'],
    [{ _meta: { permissions: { camera: {} } } }, '_meta.permissions'],
  ])('%j is named', (misplaced, path) => {
    const [finding] = lintServer({ tools: [], resources: [{ uri: 'ui://a/b', ...misplaced }] });
    expect(finding?.code).toBe('metadata-misplaced');
    expect(finding?.path).toBe(`resource "ui://a/b" ${path}`);
  });

  test('domains outside of csp are named with the line', () => {
    const resource = { uri: 'ui://a/b', _meta: { ui: { connectDomains: ['https://api.example.com'] } } };
    const [finding] = lintServer({ tools: [], resources: [resource] });
    expect(finding?.fix).toContain(
      '"_meta": { "ui": { "csp": { "connectDomains": ["https://api.example.com"] } } }',
    );
  });
});

describe('an address that the server does not list', () => {
  test('leads to the one that was meant', () => {
    const finding = one({ ...good, _meta: { ui: { resourceUri: 'ui://wether/app.html' } } });
    expect(finding).toMatchObject({ code: 'address-unlisted', fix: 'Did you mean ui://weather/app.html?' });
  });
});

test('metadata that throws when it is read is passed over', () => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  expect(() =>
    lintTool({ name: 'a', annotations: { readOnlyHint: true }, _meta: { ui: trap } }),
  ).not.toThrow();
  expect(codes(lintServer({ tools: [null, 1, 'a'] }))).toEqual([]);
});
