/*
 * What a host needs of an app about which there is nothing to say: its tool, its resource, and who may call its tools.
 * A door of its own, since bundlers load what stands behind one together.
 */
export { isPlainTool, readPlainResource } from './metadata/plain-resource.js';
export { isToolCallableBy, isToolVisibleTo } from './metadata/tool-visibility.js';
