import { CircleAlert } from "lucide-react";

/** "You need to: fix 3 phone numbers, enter 2 missing last names". */
export function TaskList({ tasks }: { tasks: readonly string[] }) {
  if (tasks.length === 0) return null;
  return (
    <div className="flex gap-2.5 rounded-md bg-bad-soft px-3.5 py-3 text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">For every row to go in, you need to</p>
        <ul className="mt-0.5 list-disc gap-x-6 pl-4 text-ink-2 marker:text-ink-3 sm:columns-2">
          {tasks.map((task) => (
            <li key={task} className="break-inside-avoid">
              {task}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
