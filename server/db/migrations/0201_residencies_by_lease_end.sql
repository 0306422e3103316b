CREATE INDEX CONCURRENTLY residencies_by_lease_end ON residencies (lease_ends) WHERE lease_ends IS NOT NULL;
