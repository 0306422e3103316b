-- Templates that people write: versions, archive, fields added by hand, and letters that read as letters.

ALTER TABLE templates
  ADD COLUMN added_fields text[] NOT NULL DEFAULT '{}', -- kept in the list although the text does not use them
  ADD COLUMN archived_at timestamptz,
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN search_text text GENERATED ALWAYS AS (lower(name || ' ' || type || ' ' || subject)) STORED;

CREATE TABLE template_versions (
  template_id bigint NOT NULL REFERENCES templates (id),
  version integer NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  subject text NOT NULL,
  content text NOT NULL,
  added_fields text[] NOT NULL,
  saved_by bigint REFERENCES users (id),
  saved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (template_id, version)
);

-- Frozen with the text when a notification takes it from an email template: its bold, links and lists are meant.
ALTER TABLE notifications ADD COLUMN formatted boolean NOT NULL DEFAULT false;
CREATE INDEX notifications_template ON notifications (template_id)
  WHERE template_id IS NOT NULL AND status IN ('Draft', 'Scheduled', 'Recurring');

-- A test that somebody sends to themselves is in no list.
ALTER TABLE notifications DROP CONSTRAINT notifications_kind_check;
ALTER TABLE notifications ADD CONSTRAINT notifications_kind_check CHECK (kind IN ('message', 'credentials', 'test'));

-- A letter that nobody has changed is written better.
UPDATE templates SET content =
$$Hello {{first_name}},

This is a friendly reminder that your rent of {{amount}} for {{property_unit}} is due on {{due_date}}.

If you have already paid, thank you. There is nothing more to do. If you can't pay by then, please contact us beforehand and we'll work something out.

Kind regards,
Your team at {{property_name}}$$
WHERE slug = 'rent-reminder' AND updated_at = created_at;

UPDATE templates SET content =
$$Hello {{first_name}},

We will carry out the following work at {{property_name}} on {{work_date}}, {{work_time}}:

{{work_description}}

Please keep the area clear and expect short interruptions. If we need to enter your home, we'll arrange a time with you first.

Thank you for your patience.

Kind regards,
Your team at {{property_name}}$$
WHERE slug = 'maintenance-alert' AND updated_at = created_at;

UPDATE templates SET content =
$${{property_name}}: {{what_happened}}. Please {{what_to_do}}. If anyone is in danger, call 911 first.$$
WHERE slug = 'emergency-notification' AND updated_at = created_at;

UPDATE templates SET content =
$$Hello {{first_name}},

{{announcement}}

Kind regards,
Your team at {{property_name}}$$
WHERE slug = 'general-announcement' AND updated_at = created_at;

INSERT INTO templates (slug, name, type, class, subject, content) VALUES
(
  'staff-meeting', 'Staff Meeting', 'Email', 'general',
  'Staff meeting on {{meeting_date}} at {{meeting_time}}',
$$Hello {{first_name}},

Our next staff meeting is on **{{meeting_date}} at {{meeting_time}}**, {{location}}.

On the agenda:

{{agenda}}

Please let your manager know if you can't attend.

Kind regards,
{{property_name}}$$
),
(
  'booking-confirmation', 'Booking Confirmation', 'Email', 'transactional',
  'Your booking of {{amenity}} on {{booking_date}}',
$$Hello {{first_name}},

Your booking is confirmed:

- **What:** {{amenity}}
- **When:** {{booking_date}}, {{booking_time}}
- **Where:** {{location}}

If your plans change, please let us know so that someone else can use it.

Kind regards,
Your team at {{property_name}}$$
);

INSERT INTO template_versions (template_id, version, name, type, subject, content, added_fields, saved_by, saved_at)
SELECT id, 1, name, type, subject, content, added_fields, created_by, updated_at FROM templates;
