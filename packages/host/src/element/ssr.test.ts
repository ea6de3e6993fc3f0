import { expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { buildMcpHostContext, defineMcpApp, McpAppElement } from '@casement/host/element';

verifies(
  ['S5-76', 'S5-72'],
  'without a window the context has what holds everywhere, and no touch or hover',
  () => {
    expect(typeof window).toBe('undefined');
    expect(buildMcpHostContext({ userAgent: 'my-chat/7' })).toEqual({
      userAgent: 'my-chat/7',
      platform: 'web',
      deviceCapabilities: { touch: false, hover: false },
    });
  },
);

test('the element can be imported and defined on a server, where that does nothing', () => {
  expect(() => defineMcpApp()).not.toThrow();
  expect(McpAppElement.observedAttributes).toContain('resource-uri');
});
