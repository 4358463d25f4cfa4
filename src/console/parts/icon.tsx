// Small pictures beside names: lines of one width in the colour of the text, on a grid of 16 pixels.

const PATHS = {
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14",
  ask: "M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2zM6.3 6.2a1.8 1.8 0 1 1 2.3 1.7c-.4.1-.6.4-.6.8M8 10h0",
  documents: "M4 1.5h5.5L13 5v9.5H4zM9 1.5V5.5h4M6 8.5h5M6 11.5h5",
  prompts: "M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10.5H11",
  collections: "M1.5 3.5h4.5l1.5 2h7v8h-13z",
  add: "M8 3v10M3 8h10",
  activity: "M1.5 8.5h3l2-5.5 3 10 2-4.5h3",
  access: "M5.5 11A3 3 0 1 0 5.5 5a3 3 0 0 0 0 6ZM8.5 8h6M12 8v2.5",
  unsaved: "M3 13l.8-3L11 2.8 13.2 5 6 12.2zM9.5 4.3 11.7 6.5",
  tags: "M2 2.5h5.5L14 9l-5 5-7-6.5zM5 5.5h0",
  map: "M4 11.5h0M6 5h0M9 8h0M12 4.5h0M11.5 11.5h0M2 2v12h12",
  pin: "M6 2h4M7 2v4L4.5 9h7L9 6V2M8 9v5",
  trash: "M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.5v5M9.3 6.5v5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
