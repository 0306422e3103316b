import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, FileSpreadsheet, ListPlus, Plus, Upload } from "lucide-react";
import type { DeliveryStatus } from "#contract/delivery.ts";
import { useUser } from "#web/api/session.ts";
import { CsvDialog, prefetchCsv } from "#web/features/csv/launcher.tsx";
import { SheetImport } from "#web/features/csv/sheet/launcher.tsx";
import { GroupsTab } from "#web/features/groups/groups-tab.tsx";
import { prefetchGroupDialog } from "#web/features/groups/launcher.ts";
import { SyncGroups } from "#web/features/groups/sync-groups.tsx";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { BlockedTab } from "#web/features/users/blocked/blocked-tab.tsx";
import {
  DetailsDialog,
  prefetchBlockAddress,
  prefetchDetailsDialog,
  prefetchUserDialog,
} from "#web/features/users/launcher.ts";
import { UsersTab } from "#web/features/users/users-tab.tsx";
import { dialogsOf } from "#web/pages/page-search.ts";
import type { UsersSearch } from "#web/pages/users-search.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/page/menu.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/page/tabs.tsx";

const prefetches = {
  users: prefetchUserDialog,
  groups: prefetchGroupDialog,
  blocked: prefetchBlockAddress,
};
const addLabels = { users: "Add User", groups: "New Group", blocked: "Block Address" };

export function UsersPage() {
  const { tab: chosen, open, edit, import: imported, ...search }: UsersSearch = useSearch({ from: "/users" });
  const tab = chosen ?? "users";
  const navigate = useNavigate({ from: "/users" });
  const actor = useUser();
  const go = (next: UsersSearch, { replace }: { replace: boolean }) =>
    void navigate({
      search: (now: UsersSearch) => ({ ...dialogsOf(now), ...next }),
      replace,
      resetScroll: false,
    });
  const show = (dialog: Pick<UsersSearch, "open" | "edit" | "import">) =>
    void navigate({
      search: (now: UsersSearch) => ({
        ...now,
        open: undefined,
        edit: undefined,
        import: undefined,
        ...dialog,
      }),
      // Closing leaves no step in the history that would open it again.
      replace: Object.keys(dialog).length === 0,
      resetScroll: false,
    });
  const adding = open === "new";
  const setAdding = (add: boolean) => show(add ? { open: "new" } : {});
  const setEditing = (id: number | undefined) => show(id === undefined ? {} : { edit: id });
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
        help={tab === "blocked" ? "blocked" : "users"}
        subtitle="Tenants, staff, and the groups you message"
        actions={
          <>
            {tab === "users" && (
              <Button
                icon={<ListPlus aria-hidden />}
                onPointerEnter={prefetchDetailsDialog}
                onFocus={prefetchDetailsDialog}
                onClick={() => show({ open: "details" })}
              >
                Details
              </Button>
            )}
            {tab === "users" && <ImportExport onChoose={(csv) => show({ open: csv })} />}
            {tab === "groups" && <SyncGroups />}
            {add}
          </>
        }
      />
      <Tabs
        value={tab}
        onValueChange={(next) =>
          void navigate({ search: next === "groups" || next === "blocked" ? { tab: next } : {} })
        }
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
            onSearch={go}
            adding={adding}
            onAdding={setAdding}
            editing={edit}
            onEditing={setEditing}
            emptyAction={add}
            Outcome={Outcome}
          />
        </TabPanel>
        <TabPanel value="groups">
          <GroupsTab
            search={search}
            onSearch={(next, options) => go({ tab: "groups", ...next }, options)}
            adding={adding}
            onAdding={setAdding}
            editing={edit}
            onEditing={setEditing}
            emptyAction={add}
          />
        </TabPanel>
        <TabPanel value="blocked">
          <BlockedTab
            search={search}
            onSearch={(next, options) => go({ tab: "blocked", ...next }, options)}
            adding={adding}
            onAdding={setAdding}
          />
        </TabPanel>
      </Tabs>
      <DetailsDialog open={open === "details"} onOpenChange={() => show({})} />
      {imported !== undefined && (
        <SheetImport
          open
          id={imported}
          onOther={(id) => show({ import: id })}
          onOpenChange={(shown) => {
            if (!shown) show({});
          }}
        />
      )}
      {(open === "import" || open === "export") && (
        <CsvDialog
          open
          tab={open}
          onFile={(id) => show({ import: id })}
          onOpenChange={(shown) => {
            if (!shown) show({});
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
