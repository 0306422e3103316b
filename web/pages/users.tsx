import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, FileSpreadsheet, Plus, Upload } from "lucide-react";
import { useState } from "react";
import type { DeliveryStatus } from "#contract/delivery.ts";
import { useUser } from "#web/api/session.ts";
import { CsvDialog, prefetchCsv } from "#web/features/csv/launcher.tsx";
import { GroupsTab } from "#web/features/groups/groups-tab.tsx";
import { prefetchGroupDialog } from "#web/features/groups/launcher.ts";
import { SyncGroups } from "#web/features/groups/sync-groups.tsx";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { BlockedTab } from "#web/features/users/blocked/blocked-tab.tsx";
import { prefetchBlockAddress, prefetchUserDialog } from "#web/features/users/launcher.ts";
import { UsersTab } from "#web/features/users/users-tab.tsx";
import type { UsersSearch } from "#web/pages/users-search.ts";
import { Button } from "#web/ui/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/menu.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/tabs.tsx";

const prefetches = {
  users: prefetchUserDialog,
  groups: prefetchGroupDialog,
  blocked: prefetchBlockAddress,
};
const addLabels = { users: "Add User", groups: "New Group", blocked: "Block Address" };

export function UsersPage() {
  const { tab: chosen, ...search }: UsersSearch = useSearch({ from: "/users" });
  const tab = chosen ?? "users";
  const navigate = useNavigate({ from: "/users" });
  const actor = useUser();
  const [adding, setAdding] = useState(false);
  const [csv, setCsv] = useState<"import" | "export">();
  if (!actor) return null;
  const prefetch = prefetches[tab];
  const add = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={() => setAdding(true)}
    >
      {addLabels[tab]}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="User Management"
        subtitle="Tenants, staff, and the groups you message"
        actions={
          <>
            {tab === "users" && <ImportExport onChoose={setCsv} />}
            {tab === "groups" && <SyncGroups />}
            {add}
          </>
        }
      />
      <Tabs
        value={tab}
        onValueChange={(next) => {
          setAdding(false);
          void navigate({ search: next === "groups" || next === "blocked" ? { tab: next } : {} });
        }}
      >
        <TabList aria-label="Users, groups or blocked addresses" className="mb-4 md:w-fit md:*:min-w-42">
          <Tab value="users">Users</Tab>
          <Tab value="groups">User Groups</Tab>
          <Tab value="blocked">Blocked Addresses</Tab>
        </TabList>
        <TabPanel value="users">
          <UsersTab
            actor={actor}
            search={search}
            onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: false })}
            adding={adding}
            onAdding={setAdding}
            emptyAction={add}
            Outcome={Outcome}
          />
        </TabPanel>
        <TabPanel value="groups">
          <GroupsTab
            search={search}
            onSearch={(next, { replace }) =>
              void navigate({ search: { tab: "groups", ...next }, replace, resetScroll: false })
            }
            adding={adding}
            onAdding={setAdding}
            emptyAction={add}
          />
        </TabPanel>
        <TabPanel value="blocked">
          <BlockedTab
            search={search}
            onSearch={(next, { replace }) =>
              void navigate({ search: { tab: "blocked", ...next }, replace, resetScroll: false })
            }
            adding={adding}
            onAdding={setAdding}
          />
        </TabPanel>
      </Tabs>
      {csv && (
        <CsvDialog
          open
          tab={csv}
          onOpenChange={(open) => {
            if (!open) setCsv(undefined);
          }}
        />
      )}
    </>
  );
}

function Outcome({ status, simulated }: { status: DeliveryStatus; simulated: boolean }) {
  return (
    <>
      <DeliveryBadge status={status} />
      {simulated && <Simulated bare />}
    </>
  );
}

function ImportExport({ onChoose }: { onChoose: (tab: "import" | "export") => void }) {
  return (
    <Menu>
      <MenuTrigger>
        <Button icon={<FileSpreadsheet aria-hidden />} onPointerEnter={prefetchCsv} onFocus={prefetchCsv}>
          Import/Export
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => onChoose("import")}>
          <Upload aria-hidden />
          Import CSV
        </MenuItem>
        <MenuItem onSelect={() => onChoose("export")}>
          <Download aria-hidden />
          Export CSV
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
