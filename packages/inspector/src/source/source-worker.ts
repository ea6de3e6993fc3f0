// Reads scripts and source maps of apps apart from the page, which ends it when it takes too long.
import { examineSource, type SourceTask } from '@casement/checks/source-map';

// The page is the only one that can reach it, and sends nothing else.
onmessage = ({ data }: MessageEvent<SourceTask>) => postMessage(examineSource(data));
