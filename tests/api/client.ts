// A client of the HTTP API whose types come from its description alone. It fails to compile if the
// description lacks an answer, and to run if a broker answers something else.
import type { paths } from "./openapi";

declare const process: { argv: string[] };

/** What GET answers. */
type Answer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer A } } } };
}
  ? A
  : never;

async function get<P extends keyof paths>(path: P): Promise<Answer<P>> {
  const response = await fetch(process.argv[2] + path);
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return (await response.json()) as Answer<P>;
}

async function main(): Promise<void> {
  const overview = await get("/api/v1/overview");
  const state: string = overview.stored.state;
  const queues = await get("/api/v1/queues");
  const waiting: number = queues.reduce((sum, queue) => sum + queue.backlog.messages, 0);
  const oldest: (string | null)[] = queues.map((queue) => queue.backlog.oldest);
  const paused: string[] = queues.filter((queue) => queue.paused).map((queue) => queue.name);
  const connections: number = (await get("/api/v1/connections")).length;
  console.log(JSON.stringify({ state, waiting, oldest, paused, connections }));
}

await main();
