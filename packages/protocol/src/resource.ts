export * from './app-html.js';
export * from './mime.js';
export * from './resource-metadata.js';
