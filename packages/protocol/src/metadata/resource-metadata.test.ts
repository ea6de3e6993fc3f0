import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { readResourceUi } from '../resource.js';

const withUi = (ui: unknown) => ({ uri: 'ui://a', _meta: { ui } });
const codes = (places: Parameters<typeof readResourceUi>[0]) =>
  readResourceUi(places).findings.map((finding) => finding.code);

describe('merging', () => {
  test('nothing declared is nothing granted', () => {
    for (const content of [{ uri: 'ui://a' }, undefined, null, 'x', withUi({})]) {
      expect(readResourceUi({ content })).toEqual({
        permissions: [],
        provenance: { csp: 'none', permissions: 'none', domain: 'none', prefersBorder: 'none' },
        findings: [],
      });
    }
  });

  verifies(
    ['S2-37', 'S2-38', 'S2-39', 'S2-40'],
    'A39 each field comes from the content item, else from the listing, and a difference is told',
    () => {
      const csp = { connectDomains: ['https://a.example'], resourceDomains: ['https://cdn.example'] };
      const content = withUi({ csp, prefersBorder: false });
      const listing = withUi({
        csp: { connectDomains: ['https://b.example'] },
        permissions: { camera: {} },
        domain: 'x',
        prefersBorder: false,
      });
      expect(readResourceUi({ content, listing })).toEqual({
        csp,
        permissions: ['camera'],
        domain: 'x',
        prefersBorder: false,
        provenance: { csp: 'content', permissions: 'listing', domain: 'listing', prefersBorder: 'content' },
        findings: [expect.objectContaining({ code: 'metadata-conflict', path: 'listing._meta.ui.csp' })],
      });
    },
  );

  test('an empty csp object counts as declared', () => {
    const read = readResourceUi({
      content: withUi({ csp: {} }),
      listing: withUi({ csp: { frameDomains: ['x'] } }),
    });
    expect(read.csp).toEqual({});
    expect(read.provenance.csp).toBe('content');
  });

  test('what stands on the tool is only a finding', () => {
    const tool = {
      name: 't',
      _meta: { ui: { csp: { connectDomains: ['https://x.example'] }, permissions: { camera: {} } } },
    };
    const read = readResourceUi({ content: withUi({}), tool });
    expect(read.csp).toBeUndefined();
    expect(read.permissions).toEqual([]);
    expect(read.findings.map((finding) => [finding.code, finding.path])).toEqual([
      ['metadata-on-tool', 'tool._meta.ui.csp'],
      ['metadata-on-tool', 'tool._meta.ui.permissions'],
    ]);
  });

  test('meta is read where _meta is missing', () => {
    expect(readResourceUi({ content: { meta: { ui: { domain: 'x' } } } }).domain).toBe('x');
  });
});

describe('the OpenAI spellings', () => {
  test('are read as the same fields', () => {
    const content = {
      _meta: {
        'openai/widgetCSP': {
          connect_domains: ['https://a.example'],
          resource_domains: ['https://b.example'],
        },
        'openai/widgetDomain': 'd',
        'openai/widgetPrefersBorder': true,
      },
    };
    expect(readResourceUi({ content })).toMatchObject({
      csp: { connectDomains: ['https://a.example'], resourceDomains: ['https://b.example'] },
      domain: 'd',
      prefersBorder: true,
      findings: [],
    });
  });

  test('come after _meta.ui', () => {
    const content = {
      _meta: { ui: { csp: {} }, 'openai/widgetCSP': { connect_domains: ['https://a.example'] } },
    };
    expect(readResourceUi({ content }).csp).toEqual({});
  });
});

describe('D14 wrong types are ignored with a finding', () => {
  test.each([
    ['csp', 'x'],
    ['csp', []],
    ['csp', null],
    ['permissions', ['camera']],
    ['permissions', 'camera'],
    ['domain', 5],
    ['domain', 'x'.repeat(254)],
    ['prefersBorder', 'yes'],
  ])('%s: %j', (field, value) => {
    const read = readResourceUi({ content: withUi({ [field]: value }) });
    expect(read).toMatchObject({
      permissions: [],
      provenance: { csp: 'none', permissions: 'none', domain: 'none' },
    });
    expect(read.findings).toEqual([
      expect.objectContaining({ code: 'metadata-type', path: `content._meta.ui.${field}` }),
    ]);
  });

  test('_meta and ui themselves', () => {
    expect(codes({ content: { _meta: 'x' }, listing: withUi(7) })).toEqual([
      'metadata-type',
      'metadata-type',
    ]);
  });

  test('domain lists are handed on unparsed, whatever they are', () => {
    const csp = { connectDomains: 'x', resourceDomains: { 0: 'y' }, frameDomains: null };
    expect(readResourceUi({ content: withUi({ csp }) }).csp).toEqual(csp);
  });

  test('unknown keys are told, at most fifty of them', () => {
    expect(codes({ content: withUi({ csp: { workerDomains: ['x'] } }) })).toEqual(['metadata-unknown-key']);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
    expect(codes({ content: withUi({ csp: many, permissions: many }) })).toHaveLength(100);
  });

  test('members that throw leave nothing declared', () => {
    const content = {
      get _meta(): unknown {
        throw new Error('trap');
      },
    };
    expect(readResourceUi({ content })).toMatchObject({ permissions: [], provenance: { csp: 'none' } });
  });
});

describe('permissions', () => {
  test('A41 only the four known names count', () => {
    const permissions: unknown = JSON.parse(
      '{"clipboardWrite":{},"usb *; camera":{},"microphone":{},"constructor":{},"__proto__":{"camera":{}}}',
    );
    const read = readResourceUi({ content: withUi({ permissions }) });
    expect(read.permissions).toEqual(['microphone', 'clipboardWrite']);
    expect(read.findings).toHaveLength(3);
  });

  test('a value that does not ask is not a request', () => {
    const permissions = { camera: false, microphone: null, geolocation: 'yes', clipboardWrite: true };
    expect(readResourceUi({ content: withUi({ permissions }) }).permissions).toEqual(['clipboardWrite']);
  });
});
