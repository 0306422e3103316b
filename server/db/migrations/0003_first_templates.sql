-- The four templates that the create dialog offers from the first day.

INSERT INTO templates (slug, name, type, class, subject, content) VALUES
(
  'rent-reminder', 'Rent Reminder', 'Email', 'transactional',
  'Rent for {{property_unit}} is due on {{due_date}}',
$$Hello {{first_name}},

this is a friendly reminder that the rent of {{amount}} for {{property_unit}} is due on {{due_date}}.

If you have already paid, thank you; there is nothing more to do. If something stands in the way, please talk to us before that day so that we can find a solution together.

Your team at {{property_name}}$$
),
(
  'maintenance-alert', 'Maintenance Alert', 'Email', 'transactional',
  'Planned work at {{property_name}} on {{work_date}}',
$$Hello {{first_name}},

on {{work_date}}, {{work_time}}, we carry out this work at {{property_name}}:

{{work_description}}

Please keep the area clear and plan for short interruptions. If someone has to enter your home, we will agree on a time with you first.

Thank you for your patience.

Your team at {{property_name}}$$
),
(
  'emergency-notification', 'Emergency Notification', 'SMS', 'emergency',
  'Emergency at {{property_name}}',
$${{property_name}}: {{what_happened}} Please {{what_to_do}} Danger to life: call 911 first.$$
),
(
  'general-announcement', 'General Announcement', 'Email', 'general',
  '{{headline}}',
$$Hello {{first_name}},

{{announcement}}

With kind regards,
your team at {{property_name}}$$
);
