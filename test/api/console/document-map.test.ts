// Documents as points of a plane.

import { expect, test } from "bun:test";
import { consoleClient } from "../../helpers/console-client.ts";
import { useServer } from "../../helpers/start.ts";

interface Point {
  id: string;
  title: string;
  x: number;
  y: number;
  collection: string;
  tags: string[];
}

const started = useServer();
const { client, create } = started;
const owner = await consoleClient(started);
const map = async () =>
  (await owner("GET", "/console/api/map")).body.data as { points: Point[]; total: number };

test("without documents, there are no points", async () => {
  expect(await map()).toEqual({ points: [], total: 0 });
});

test("documents about the same are nearer to each other than others", async () => {
  const collectionId = await create("/v1/collections", { name: "Harbour" });
  const tides = "tide harbour water gauge moon flood gate";
  const tea = "kettle tea leaves boil cup milk sugar";
  for (let n = 0; n < 4; n++) {
    await create("/v1/documents", {
      title: `tides ${n}`,
      content: `${tides} ${n}`,
      tags: ["sea"],
      collectionIds: [collectionId],
    });
    await create("/v1/documents", { title: `tea ${n}`, content: `${tea} ${n}` });
  }
  await started.clientOf("other@example.org")("POST", "/v1/documents", { title: "of others", content: tea });
  await started.settle();
  const { points, total } = await map();
  expect(total).toBe(8);
  expect(points.map(({ title }) => title).sort()).toEqual(
    ["tea", "tides"].flatMap((topic) => [0, 1, 2, 3].map((n) => `${topic} ${n}`)),
  );
  const sideOf = ({ x }: Point) => Math.sign(x);
  const [first] = points;
  const isLikeFirst = ({ title }: Point) => title.slice(0, 3) === first!.title.slice(0, 3);
  for (const point of points) expect(sideOf(point) === sideOf(first!)).toBe(isLikeFirst(point));
  expect(Math.max(...points.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]))).toBeCloseTo(1, 5);
  expect(points.find(({ title }) => title === "tides 0")).toMatchObject({
    collection: "Harbour",
    tags: ["sea"],
  });
  expect(points.find(({ title }) => title === "tea 0")).toMatchObject({ collection: "", tags: [] });
});

test("a changed document moves; an archived one is not shown", async () => {
  const { points } = await map();
  const tea = points.find(({ title }) => title === "tea 0")!;
  const tides = points.find(({ title }) => title === "tides 0")!;
  await client("PATCH", `/v1/documents/${tea.id}`, { content: "tide harbour water gauge moon flood gate 9" });
  await client("PATCH", `/v1/documents/${tides.id}`, { status: "archived" });
  await started.settle();
  const later = await map();
  expect(later.total).toBe(7);
  expect(later.points).toHaveLength(7);
  const pointOf = (title: string) => later.points.find((point) => point.title === title)!;
  expect(Math.sign(pointOf("tea 0").x)).toBe(Math.sign(pointOf("tides 1").x));
  expect(Math.sign(pointOf("tea 1").x)).not.toBe(Math.sign(pointOf("tides 1").x));
});
