-- Places and who lives in them (docs/decisions/0190-homes.md). Only server/places/ writes these tables.
CREATE TABLE properties (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  address text NOT NULL DEFAULT '',
  time_zone text,                               -- null: the organization's
  archived_at timestamptz,
  merged_into bigint REFERENCES properties (id), -- its homes and spellings are there; kept for the undo
  name_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS (by_number(fold(name))) STORED,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX properties_listed ON properties (name_key, id) WHERE merged_into IS NULL;

-- Every spelling of a property.
CREATE TABLE property_names (
  folded text PRIMARY KEY,
  name text NOT NULL,
  property_id bigint NOT NULL REFERENCES properties (id)
);
CREATE INDEX property_names_of ON property_names (property_id);

CREATE TABLE units (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  property_id bigint NOT NULL REFERENCES properties (id),
  key text NOT NULL,                            -- what its spellings have in common; empty: the property is the home
  written text NOT NULL,                        -- as people's details name it
  building text NOT NULL DEFAULT '',
  floor integer,                                -- 0: ground floor, below 0: basement, 999: penthouse
  stack text,
  corrected boolean NOT NULL DEFAULT false,     -- building, floor and stack were corrected by hand
  merged_into bigint REFERENCES units (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX units_key ON units (property_id, key) WHERE merged_into IS NULL;
CREATE INDEX units_of_property ON units (property_id, building, floor, stack, id) WHERE merged_into IS NULL;

CREATE TABLE residencies (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  unit_id bigint NOT NULL REFERENCES units (id),
  role text NOT NULL DEFAULT 'leaseholder'
    CHECK (role IN ('leaseholder', 'occupant', 'owner', 'guarantor', 'contact')),
  first_day date,                               -- both are days of living there; null: open
  last_day date,
  lease_ends date,
  -- The text of the person shows this one. said: what it was when it was last compared; home: the whole text.
  shown boolean NOT NULL DEFAULT false,
  said text,
  home text,
  -- The days as instants in the property's zone, for who lives there: null for open on both ends.
  during tstzrange,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (first_day <= last_day)
);
CREATE UNIQUE INDEX residencies_shown ON residencies (person_id) WHERE shown;
CREATE INDEX residencies_of_person ON residencies (person_id);
CREATE INDEX residencies_of_unit ON residencies (unit_id, person_id) INCLUDE (role, during);
-- Those beside the ones that are shown, which rules look up: the few that aren't over.
CREATE INDEX residencies_besides ON residencies (coalesce(last_day, 'infinity'), person_id, unit_id) INCLUDE (during)
  WHERE NOT shown AND role IN ('leaseholder', 'occupant');
CREATE INDEX residencies_dated ON residencies (person_id) WHERE during IS NOT NULL;

-- What a move or merge replaced. undone_at: it was undone, which happens once.
CREATE TABLE home_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('move', 'merge')),
  person_id bigint REFERENCES users (id) ON DELETE CASCADE,
  property_id bigint REFERENCES properties (id),
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  actor_id bigint REFERENCES users (id) ON DELETE SET NULL,
  at timestamptz NOT NULL DEFAULT now(),
  undone_at timestamptz
);
CREATE INDEX home_changes_of_person ON home_changes (person_id, id DESC) WHERE person_id IS NOT NULL;
CREATE INDEX home_changes_of_property ON home_changes (property_id, id DESC) WHERE property_id IS NOT NULL;
