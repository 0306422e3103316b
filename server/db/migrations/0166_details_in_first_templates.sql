-- The first templates say when and where in a block of details. Only in a new system: where anyone works already, the
-- templates are theirs.
CREATE TEMPORARY TABLE written ON COMMIT DROP AS
SELECT t.id, w.content FROM templates t JOIN (VALUES
('maintenance-alert',
$$Hello {{first_name}},

We will carry out the following work:

{{work_description}}

| When: {{work_date}}, {{work_time}}
| Where: {{property_name}}

Please keep the area clear and expect short interruptions. If we need to enter your home, we'll arrange a time with you first.

Thank you for your patience.

Kind regards,
Your team at {{property_name}}$$),
('staff-meeting',
$$Hello {{first_name}},

Our next staff meeting is coming up.

| When: {{meeting_date}} at {{meeting_time}}
| Where: {{location}}

On the agenda:

{{agenda}}

Please let your manager know if you can't attend.

Kind regards,
{{property_name}}$$),
('booking-confirmation',
$$Hello {{first_name}},

Your booking is confirmed.

| What: {{amenity}}
| When: {{booking_date}}, {{booking_time}}
| Where: {{location}}

If your plans change, please let us know so that someone else can use it.

Kind regards,
Your team at {{property_name}}$$)) w (slug, content) USING (slug)
WHERE t.version = 1 AND t.updated_at = t.created_at AND NOT EXISTS (SELECT FROM users);

UPDATE templates t SET content = w.content FROM written w WHERE t.id = w.id;
UPDATE template_versions v SET content = w.content FROM written w WHERE v.template_id = w.id AND v.version = 1;
