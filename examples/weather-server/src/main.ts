#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createObservations, createWeatherServer } from './create-weather-server.js';

// Built from src/app by scripts/bundle-assets.mjs: one file without any outside reference.
const dashboardHtml = readFileSync(new URL('./dashboard.html', import.meta.url), 'utf8');
const observations = createObservations();

serveStdio(() => createWeatherServer(dashboardHtml, observations));
