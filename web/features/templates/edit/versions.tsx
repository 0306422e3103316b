import { diffWordsWithSpace } from "diff";
import { useState } from "react";
import { templates, type Template, type TemplateVersion } from "#contract/calls/templates.ts";
import { useReadList } from "#web/api/use-read.ts";
import { fieldsIn, type TemplateForm } from "#web/features/templates/edit/template-form.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Pagination } from "#web/ui/list/pagination.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Props = {
  template: Template;
  /** The current contents of the form. */
  now: TemplateForm;
  onRestore: (version: TemplateVersion) => void;
};

const FIRST = 3;
const ALL = 25;

/** Every saved version: compare it with the current text, or load it into the form. */
export function Versions({ template, now, onRestore }: Props) {
  /** Undefined: only the newest few. */
  const [page, setPage] = useState<number>();
  const [compared, setCompared] = useState<TemplateVersion>();
  const read = useReadList(
    templates.versions,
    { params: { id: template.id }, query: { page: page ?? 1, pageSize: page ? ALL : FIRST } },
    { fresh: true },
  );
  const total = read.data?.total ?? 0;
  return (
    <section aria-labelledby="versions" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 id="versions" className="text-sm font-semibold">
          Versions
        </h3>
        {total > FIRST && !page && (
          <Button variant="ghost" size="sm" onClick={() => setPage(1)}>
            See all {total}
          </Button>
        )}
      </div>
      <ReadStates
        read={read}
        failed="We couldn't load the versions"
        skeleton={<SkeletonRows rows={FIRST} className="h-9" />}
      >
        {({ rows }) => (
          <>
            <ol className="flex flex-col">
              {rows.map((version) => (
                <li
                  key={version.version}
                  className="flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line py-2 text-sm first:border-t-0"
                >
                  <span className="font-semibold">Version {version.version}</span>
                  <span className="text-ink-2">
                    <When at={version.savedAt} /> · <bdi translate="no">{version.savedBy}</bdi>
                    {version.current && " · in use"}
                  </span>
                  <span className="ml-auto flex gap-1">
                    <Button variant="ghost" size="sm" onClick={() => setCompared(version)}>
                      Compare
                    </Button>
                    <Button
                      variant="ghost"
                      size="sm"
                      onClick={() => {
                        onRestore(version);
                        // On a phone the form is far above.
                        toast({
                          title: `Version ${version.version} is back in the form`,
                          ...(!version.current && { description: "Save the template to use it." }),
                        });
                      }}
                    >
                      Restore
                    </Button>
                  </span>
                </li>
              ))}
            </ol>
            {page && total > ALL && (
              <Pagination
                shown={rows.length}
                total={total}
                noun={["version", "versions"]}
                page={page}
                pageSize={ALL}
                onPage={setPage}
              />
            )}
          </>
        )}
      </ReadStates>
      {compared && <Compare version={compared} now={now} onClose={() => setCompared(undefined)} />}
    </section>
  );
}

function Compare({
  version,
  now,
  onClose,
}: {
  version: TemplateVersion;
  now: TemplateForm;
  onClose: () => void;
}) {
  const used = fieldsIn(`${now.type === "Email" ? now.subject : ""}\n${now.content}`);
  const parts = [
    { label: "Template name", before: version.name, after: now.name },
    { label: "Type", before: version.type, after: now.type },
    { label: "Subject", before: version.subject, after: now.subject },
    { label: "Content", before: version.content, after: now.content },
    {
      label: "Dynamic fields",
      before: version.dynamicFields.join(", "),
      after: [...new Set([...used, ...now.dynamicFields])].join(", "),
    },
  ].filter(({ before, after }) => before !== after);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Version ${version.version} compared with now`}
      description="Text removed since then is struck through. Text added since then is underlined."
    >
      {parts.length === 0 ? (
        <p className="text-sm text-ink-2">Both versions are the same.</p>
      ) : (
        parts.map(({ label, before, after }) => (
          <section key={label} className="mb-5">
            <h3 className="mb-1.5 text-sm font-semibold">{label}</h3>
            <p className="rounded-md bg-sunk p-3 text-sm leading-6 break-words whitespace-pre-wrap">
              {diffWordsWithSpace(before, after).map(({ value, added, removed }, index) => {
                const key = `${index}-${value.length}`;
                if (added) {
                  return (
                    <ins key={key} className="bg-good-soft text-good">
                      {value}
                    </ins>
                  );
                }
                if (removed) {
                  return (
                    <del key={key} className="bg-bad-soft text-bad">
                      {value}
                    </del>
                  );
                }
                return <span key={key}>{value}</span>;
              })}
            </p>
          </section>
        ))
      )}
    </Dialog>
  );
}
