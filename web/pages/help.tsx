import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { settings } from "#contract/calls/settings.ts";
import { useRead } from "#web/api/use-read.ts";
import { useMay } from "#web/api/session.ts";
import { TopicList } from "#web/features/help/topic-list.tsx";
import { staffSections } from "#web/features/help/staff-topics.ts";
import { tenantSections } from "#web/features/help/tenant-topics.ts";
import { matchingTopics, withSupport } from "#web/features/help/topics.ts";
import { Workflow } from "#web/features/help/workflow.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { useTypedSearch } from "#web/ui/list/use-typed-search.ts";

export function HelpPage() {
  const inConsole = useMay("console");
  const { q = "" } = useSearch({ from: "/help" });
  const topic = useLocation({ select: ({ hash }) => hash });
  const navigate = useNavigate({ from: "/help" });
  const [search, setSearch] = useTypedSearch(
    q,
    (next) => void navigate({ search: next ? { q: next } : {}, replace: true, resetScroll: false }),
  );
  const searching = search.trim() !== "";
  const { data: support } = useRead(settings.list, {}, { enabled: inConsole });
  const sections = support ? withSupport(staffSections, support) : staffSections;
  const shown = matchingTopics(inConsole ? sections : tenantSections, search);
  return (
    <>
      <PageHeader
        title="Help & Documentation"
        subtitle={inConsole ? "Find an answer, or jump straight to the screen" : "How your notices work"}
        actions={
          <SearchInput
            label="Search help"
            placeholder="Search help..."
            slash
            value={search}
            onChange={setSearch}
            className="w-full sm:w-72"
          />
        }
      />
      <div className="flex flex-col gap-5">
        {inConsole && !searching && <Workflow />}
        {shown.map((section) => (
          <TopicList key={section.title} section={section} open={searching} asked={topic} />
        ))}
        {shown.length === 0 && (
          <Card>
            <EmptyState
              icon={<SearchX />}
              title="No answers found"
              hint="Try another word, such as “schedule” or “CSV”."
            />
          </Card>
        )}
      </div>
    </>
  );
}
